// The user's home: $HOME, or where that is not set, as in some services and containers, what the system knows of the account.
#pragma once

#include <filesystem>

namespace cuset::base {

// Absolute; empty where neither says.
std::filesystem::path home_folder();

}  // namespace cuset::base
