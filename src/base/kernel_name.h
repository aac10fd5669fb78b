// The name of a kernel as its source writes it. Also compiled into libraries of ours that use nothing else of this
// project.
#pragma once

#include <string>

namespace cuset::base {

// "_Z5saxpyifPKfPf" becomes "saxpy", "_Z5scaleIfLi4EEvPT_" becomes "scale<float, 4>"; what is no C++ name
// stays.
std::string kernel_name(const char* mangled);

// With its parameters: "saxpy(int, float, float const*, float*)".
std::string kernel_signature(const char* mangled);

}  // namespace cuset::base
