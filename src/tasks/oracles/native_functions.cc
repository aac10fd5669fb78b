#include "tasks/oracles/native_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace cuset::tasks {
namespace {

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

const std::array kUnary = {
    UnaryFunction{"abs", [](double x) { return std::abs(x); }},
    UnaryFunction{"exp", [](double x) { return std::exp(x); }},
    UnaryFunction{"expm1", [](double x) { return std::expm1(x); }},
    UnaryFunction{"log", [](double x) { return std::log(x); }},
    UnaryFunction{"log1p", [](double x) { return std::log1p(x); }},
    UnaryFunction{"sqrt", [](double x) { return std::sqrt(x); }},
    UnaryFunction{"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    UnaryFunction{"sin", [](double x) { return std::sin(x); }},
    UnaryFunction{"cos", [](double x) { return std::cos(x); }},
    UnaryFunction{"tanh", [](double x) { return std::tanh(x); }},
    UnaryFunction{"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
    UnaryFunction{"erf", [](double x) { return std::erf(x); }},
    UnaryFunction{"floor", [](double x) { return std::floor(x); }},
    UnaryFunction{"ceil", [](double x) { return std::ceil(x); }},
    UnaryFunction{"round", [](double x) { return std::nearbyint(x); }},
    UnaryFunction{"trunc", [](double x) { return std::trunc(x); }},
    UnaryFunction{"sign", sign},
};

// The bits of a whole number of 32 bits; none of what is no such number.
uint32_t bits_of(double x) { return x >= 0 && x < 0x1p32 ? static_cast<uint32_t>(x) : 0; }

// Of an undefined number and another, min and max are undefined, as in numpy.
const std::array kBinary = {
    BinaryFunction{"min", [](double x, double y) { return x < y || std::isnan(x) ? x : y; }},
    BinaryFunction{"max", [](double x, double y) { return x > y || std::isnan(x) ? x : y; }},
    BinaryFunction{"pow", [](double x, double y) { return std::pow(x, y); }},
    BinaryFunction{"mod", [](double x, double y) { return x - y * std::floor(x / y); }},
    BinaryFunction{"bit_and",
                   [](double x, double y) { return static_cast<double>(bits_of(x) & bits_of(y)); }},
    BinaryFunction{"bit_or", [](double x, double y) { return static_cast<double>(bits_of(x) | bits_of(y)); }},
    BinaryFunction{"bit_xor",
                   [](double x, double y) { return static_cast<double>(bits_of(x) ^ bits_of(y)); }},
};

const std::array kComparisons = {
    BinaryFunction{"<=", [](double x, double y) { return x <= y ? 1.0 : 0.0; }},
    BinaryFunction{">=", [](double x, double y) { return x >= y ? 1.0 : 0.0; }},
    BinaryFunction{"==", [](double x, double y) { return x == y ? 1.0 : 0.0; }},
    BinaryFunction{"!=", [](double x, double y) { return x != y ? 1.0 : 0.0; }},
    BinaryFunction{"<", [](double x, double y) { return x < y ? 1.0 : 0.0; }},
    BinaryFunction{">", [](double x, double y) { return x > y ? 1.0 : 0.0; }},
};
const std::array kSums = {
    BinaryFunction{"+", [](double x, double y) { return x + y; }},
    BinaryFunction{"-", [](double x, double y) { return x - y; }},
};
const std::array kProducts = {
    BinaryFunction{"*", [](double x, double y) { return x * y; }},
    BinaryFunction{"/", [](double x, double y) { return x / y; }},
};

template <typename Table>
auto find_in(const Table& table, std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const auto& one) { return one.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

const UnaryFunction* unary_function(std::string_view name) { return find_in(kUnary, name); }
const BinaryFunction* binary_function(std::string_view name) { return find_in(kBinary, name); }

double negative(double x) { return -x; }

std::span<const BinaryFunction> comparisons() { return kComparisons; }
std::span<const BinaryFunction> sums() { return kSums; }
std::span<const BinaryFunction> products() { return kProducts; }

std::vector<std::string> expression_functions() {
  std::vector<std::string> names;
  for (const UnaryFunction& one : kUnary) names.emplace_back(one.name);
  for (const BinaryFunction& one : kBinary) names.emplace_back(one.name);
  names.emplace_back("where");
  return names;
}

}  // namespace cuset::tasks
