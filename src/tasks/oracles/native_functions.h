// The functions and operators of formulas (native_expression.h), in float64.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::tasks {

struct UnaryFunction {
  std::string_view name;
  double (*function)(double);
};

struct BinaryFunction {
  std::string_view name;
  double (*function)(double, double);
};

// Null where there is none of that name.
const UnaryFunction* unary_function(std::string_view name);
const BinaryFunction* binary_function(std::string_view name);

double negative(double x);

// The operators of one precedence; one that begins another comes after it.
std::span<const BinaryFunction> comparisons();
std::span<const BinaryFunction> sums();
std::span<const BinaryFunction> products();

// The names that may be called, `where` among them.
std::vector<std::string> expression_functions();

}  // namespace cuset::tasks
