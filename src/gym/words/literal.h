// Numbers as text: the shortest that reads back as the same double, in prose and in C++.
#pragma once

#include <cstdint>
#include <string>

#include "tasks/array.h"

namespace cuset::gym {

// "0.25", "3", "1e-5".
std::string decimal(double value);
// As a C++ literal of `type` ("float", "double", "int"): "0.25f", "3.0", "3". Negative ones stand in
// parentheses where `in_expression`.
std::string literal(double value, std::string_view type, bool in_expression);

// The C++ type of a number in a CUDA program: "float", "__half", "long long".
std::string_view cpp_type(tasks::NumberType type);

}  // namespace cuset::gym
