#include "gym/solutions/formula.h"

#include <gtest/gtest.h>

namespace cuset::gym {
namespace {

struct Case {
  const char* formula;
  const char* code;  // in float
  const char* prose;
};

TEST(Formula, IsTurnedIntoCodeAndProse) {
  const Case cases[] = {
      {"{alpha} * $x + $z", "$alpha * @x + @z", "$alpha * $x[i] + $z[i]"},
      {"max($x, 0)", "fmaxf(@x, 0.0f)", "max($x[i], 0)"},
      {"where($x > 0.5, $x, -abs($x))", "@x > 0.5f ? @x : -fabsf(@x)", "$x[i] > 0.5 ? $x[i] : -abs($x[i])"},
      {"$x * sigmoid($x + 1)", "@x * (1.0f / (1.0f + expf(-(@x + 1.0f))))",
       "$x[i] * (1 / (1 + exp(-($x[i] + 1))))"},
      {"min(max($x, {low}), {high})", "fminf(fmaxf(@x, $low), $high)", "min(max($x[i], $low), $high)"},
      {"log1p(exp(-abs($x2)))", "log1pf(expf(-fabsf(@x2)))", "log1p(exp(-abs($x2[i])))"},
      {"($x) * ($x)", "(@x) * (@x)", "($x[i]) * ($x[i])"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(formula_code(one.formula, cuda_number(tasks::NumberType::kFloat32)), one.code);
    EXPECT_EQ(formula_prose(one.formula), one.prose);
  }
}

TEST(Formula, TypesHaveTheirOwnFunctionsAndNumbers) {
  const char* const formula = "max(abs($x), 2)";
  EXPECT_EQ(formula_code(formula, cuda_number(tasks::NumberType::kFloat64)), "fmax(fabs(@x), 2.0)");
  EXPECT_EQ(formula_code(formula, cuda_number(tasks::NumberType::kInt32)), "max(abs(@x), 2)");
  EXPECT_EQ(formula_code("mod(3 * $x, 7) + bit_xor($x, 5)", cuda_number(tasks::NumberType::kInt32)),
            "((3 * @x) % 7) + (@x ^ 5)");
}

TEST(Formula, ArraysAndElementsAreReplacedByWholeNames) {
  EXPECT_EQ(with_arrays("$a - $ab + $a", {{"a", "$a[k]"}}), "$a[k] - $ab + $a[k]");
  EXPECT_EQ(with_elements("@a * @ab", [](const std::string& key) { return "<" + key + ">"; }), "<a> * <ab>");
}

}  // namespace
}  // namespace cuset::gym
