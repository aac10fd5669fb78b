#include "tasks/oracles/native_expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "support/error_text.h"

namespace cuset::tasks {
namespace {

// With a = 3, b = -2, n undefined.
double value_of(const std::string& text) {
  const Tensor a{{}, {3}};
  const Tensor b{{}, {-2}};
  const Tensor n{{}, {std::numeric_limits<double>::quiet_NaN()}};
  const Tensor* variables[] = {&a, &b, &n};
  Tensor result{{}, {0}};
  Expression(text, {"a", "b", "n"}).evaluate(variables, result);
  return result.values[0];
}

TEST(Expression, Values) {
  const std::pair<const char*, double> cases[] = {
      {"1", 1},
      {"1.5e1", 15},
      {".5", 0.5},
      {"a + b * 2", -1},
      {"(a + b) * 2", 2},
      {"a - b - 1", 4},
      {"12 / a / 2", 2},
      {"-a", -3},
      {"--a", 3},
      {"-a - -b", -5},
      {"2 * -b", 4},
      {"a<4", 1},
      {"a >= 3", 1},
      {"a <= 2", 0},
      {"a == 3", 1},
      {"a != 3", 0},
      {"(a > b) + (b > a)", 1},
      {"a + 1 > 3", 1},
      {"min(a, b)", -2},
      {"max(a, b)", 3},
      {"pow(a, 2)", 9},
      {"where(b < 0, a, 7)", 3},
      {"where(b, a, 7)", 3},
      {"where(0, a, 7)", 7},
      {"abs(b)", 2},
      {"exp(0) + log(1) + sqrt(4) + rsqrt(4)", 3.5},
      {"expm1(0) + log1p(0) + sin(0) + cos(0)", 1},
      {"tanh(0) + sigmoid(0) + erf(0)", 0.5},
      {"floor(-1.5)", -2},
      {"ceil(-1.5)", -1},
      {"trunc(-1.5)", -1},
      {"round(2.5)", 2},
      {"round(3.5)", 4},
      {"sign(a) + 10 * sign(b) + sign(0)", -9},
      {"mod(7, a) + 10 * mod(b, 5)", 31},
      {"bit_and(12, 10) + 100 * bit_or(12, 10) + 10000 * bit_xor(12, 10)", 61408},
      {"bit_or(b, 5)", 5},
      {" a\t+\nb ", 1},
  };
  for (const auto& [text, wanted] : cases) EXPECT_EQ(value_of(text), wanted) << text;
  EXPECT_TRUE(std::isnan(value_of("max(n, 1)")));
  EXPECT_TRUE(std::isnan(value_of("min(1, n)")));
}

TEST(Expression, SaysWhereItIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "column 1: a number, a name or '(' was expected"},
      {"a +", "column 4: a number, a name or '(' was expected"},
      {"a b", "column 3: an operator was expected"},
      {"(a", "column 3: ')' was expected"},
      {"a)", "column 2: an operator was expected"},
      {"a < b < 1", "column 7: an operator was expected"},
      {"max(a)", "column 6: ',' was expected"},
      {"max(a, b, 1)", "column 9: max takes 2 values"},
      {"sqr(a)", "column 1: there is no function \"sqr\"; did you mean 'sqrt'?"},
      {"1 + A", "column 5: there is no input \"A\"; did you mean 'a'?"},
      {"1e999", "column 1: this is not a number"},
      {"a[1", "column 4: ']' was expected"},
      {"a[]", "column 3: a number, a name or '(' was expected"},
      {"a # b", "column 3: an operator was expected"},
      {"a ** 2", "column 4: a number, a name or '(' was expected"},
  };
  for (const auto& [text, message] : cases) {
    const std::string said = support::error_of([&formula = text] { value_of(formula); });
    EXPECT_EQ(said.find(message), 0U) << said;
  }
}

TEST(Expression, HostileTextsAreRefusedNotFollowed) {
  const std::string deep(1 << 20, '(');
  EXPECT_NE(support::error_of([&] { value_of(deep); }).find("too many levels"), std::string::npos);
  const std::string minuses = std::string(1 << 20, '-') + "a";
  EXPECT_NE(support::error_of([&] { value_of(minuses); }).find("too many levels"), std::string::npos);
  std::string calls;
  for (int i = 0; i < 100000; ++i) calls += "abs(";
  EXPECT_NE(support::error_of([&] { value_of(calls); }).find("too many levels"), std::string::npos);
  std::string sum = "a";
  for (int i = 0; i < 100000; ++i) sum += "+a";
  EXPECT_NE(support::error_of([&] { value_of(sum); }).find("the formula is too long"), std::string::npos);
}

TEST(Expression, StretchesShapesAsNumpyDoes) {
  // Over a thousand numbers, so that more than one block is taken.
  const Tensor column{{600, 1}, std::vector<double>(600, 0)};
  const Tensor row{{3}, {10, 20, 30}};
  Tensor rows = column;
  for (size_t i = 0; i < 600; ++i) rows.values[i] = static_cast<double>(i);
  const Tensor* variables[] = {&rows, &row};
  Tensor result{{600, 3}, std::vector<double>(1800)};
  Expression("x + y", {"x", "y"}).evaluate(variables, result);
  for (size_t i = 0; i < 1800; ++i)
    ASSERT_EQ(result.values[i], static_cast<double>(i / 3 + 10 * (i % 3 + 1)));
  EXPECT_TRUE(stretches_to({}, {4, 3}));
  EXPECT_TRUE(stretches_to({1, 3}, {4, 3}));
  EXPECT_FALSE(stretches_to({4}, {4, 3}));
  EXPECT_FALSE(stretches_to({1, 4, 3}, {4, 3}));
}

TEST(Expression, ReadsAtGivenPlaces) {
  const Tensor x{{2, 3}, {0, 1, 2, 10, 11, 12}};
  const Tensor i{{4}, {0, 1, 2, 3}};
  const Tensor* variables[] = {&x, &i};
  Tensor result{{4}, std::vector<double>(4)};
  const std::pair<const char*, std::vector<double>> cases[] = {
      {"x[1, i]", {10, 11, 12, 0}},
      {"x[0, i - 1]", {0, 0, 1, 2}},
      {"x[i / 2, 1.9] + 1", {2, 2, 12, 12}},
      {"x[0, x[0, i]]", {0, 1, 2, 0}},
  };
  for (const auto& [text, wanted] : cases) {
    const Expression expression(text, {"x", "i"});
    EXPECT_TRUE(expression.uses(0));
    EXPECT_FALSE(expression.uses_in_place(0));
    expression.evaluate(variables, result);
    EXPECT_EQ(result.values, wanted) << text;
  }
  EXPECT_EQ(support::error_of([&] {
              Expression("x[i]", {"x", "i"}).evaluate(variables, result);
            }).find("\"x\" has 2 axes, but 1 places are given"),
            0U);
}

TEST(Expression, KnowsWhatItUses) {
  const Expression expression("b + 1", {"a", "b"});
  EXPECT_FALSE(expression.uses(0));
  EXPECT_TRUE(expression.uses(1));
}

}  // namespace
}  // namespace cuset::tasks
