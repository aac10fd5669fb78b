// Arithmetic of Python's own int, float and bool, and the formatting of numbers in strings. Whole numbers
// have 64 bits here; what needs more is a Failure.
#pragma once

#include <string>

#include "verify/tasks/script/value.h"

namespace cuset::script {

// Both are int, float or bool.
Value python_binary(Operator operation, const Value& a, const Value& b);
Value python_unary(Operator operation, const Value& value);

// "%d items" % value, and one replacement of str.format or an f-string.
std::string percent_formatted(const std::string& format, const Value& values);
std::string formatted(const Value& value, const std::string& format);

}  // namespace cuset::script
