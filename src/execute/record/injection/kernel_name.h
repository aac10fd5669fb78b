// The name of a kernel as its source writes it.
#pragma once

#include <string>

namespace cuset_injection {

// "_Z5saxpyifPKfPf" becomes "saxpy", "_Z5scaleIfLi4EEvPT_" becomes "scale<float, 4>"; what is no C++ name
// stays.
std::string kernel_name(const char* mangled);

}  // namespace cuset_injection
