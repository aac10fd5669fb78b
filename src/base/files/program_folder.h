// Where this program lives: what comes with it is found beside it.
#pragma once

#include <filesystem>

namespace cuset::base {

// The folder of the running executable, links followed; empty where the system does not say (no /proc).
std::filesystem::path program_folder();

}  // namespace cuset::base
