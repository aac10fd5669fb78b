// Names of kernels as people read them.
#pragma once

#include <string>
#include <string_view>

namespace cuset_emulator {

// "saxpy<float>(int, float*)" of its mangled name: demangled, without the return type. Other text comes back
// as it is.
std::string readable_name(std::string_view mangled);

// Without the parameters: "saxpy<float>".
std::string short_name(std::string_view mangled);

}  // namespace cuset_emulator
