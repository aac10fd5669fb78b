// Too little memory for tensors: LibTorch has a type or words of its own for each place where it happens.
// Free of LibTorch headers.
#pragma once

#include <exception>
#include <string_view>

#include "base/error.h"

namespace cuset::ops {

// Whether `error` says that the memory of a GPU or of the machine does not suffice.
bool is_lack_of_memory(const std::exception& error);

// What the user reads instead of it; `remedy` names the settings that lower the need.
base::Error lack_of_memory(std::string_view remedy);

}  // namespace cuset::ops
