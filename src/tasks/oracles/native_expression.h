// Formulas over named tensors: "where(x > 0, x, 0.01 * x) + bias".
//
//   comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]          1 or 0
//   sum        = product { ("+" | "-") product }
//   product    = factor { ("*" | "/") factor }
//   factor     = "-" factor | number | name | name "[" comparison { "," comparison } "]"
//              | name "(" comparison { "," comparison } ")" | "(" comparison ")"
//
// A plain name stands for the number at the result's own place; x[i, j] reads x anywhere. Places are rounded
// down, and outside of x there are zeros.
//
// The text is turned into steps for a machine with a stack, which work on blocks of numbers. Depth and length
// are limited, so that no text overflows anything.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/oracles/native_tensor.h"

namespace cuset::tasks {

class Expression {
 public:
  // `names` are what the text may name. Throws Error "column 5: ..." for a text that is not a formula.
  Expression(std::string_view text, std::vector<std::string> names);

  // Whether the formula has names[index] in it, as a plain name or read at given places.
  bool uses(size_t index) const { return used_[index] || read_[index]; }
  // Whether it has names[index] as a plain name.
  bool uses_in_place(size_t index) const { return used_[index]; }

  // Fills `result` in its shape. variables[i] belongs to names[i] and may be null where it is not used. The
  // shape of one used in place is stretched to the result's as numpy does, and must allow that
  // (stretches_to); one that is read needs as many axes as places. Throws Error where it has others.
  void evaluate(std::span<const Tensor* const> variables, Tensor& result) const;

 private:
  friend class ExpressionParser;
  friend class ExpressionMachine;
  struct Step {
    enum class Kind : uint8_t { kNumber, kVariable, kRead, kUnary, kBinary, kWhere };
    Kind kind = Kind::kNumber;
    double number = 0;
    size_t variable = 0;
    size_t axes = 0;  // kRead: so many places are on the stack
    double (*unary)(double) = nullptr;
    double (*binary)(double, double) = nullptr;
  };

  std::vector<std::string> names_;
  std::vector<bool> used_;  // in place
  std::vector<bool> read_;  // at given places
  std::vector<Step> steps_;
  size_t depth_ = 0;  // of the stack
};

// Whether a tensor of shape `from` can be repeated along new axes and axes of length 1 to shape `to`.
bool stretches_to(const Shape& from, const Shape& to);

}  // namespace cuset::tasks
