#include "gym/words/spelling.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::gym {
namespace {

TEST(Spelling, KeysBecomeNamesAndValues) {
  Spelling words;
  words.set_name("x", "input");
  words.set_name("x2", "other");
  words.set_value("eps", "1e-5");
  EXPECT_EQ(words.apply("$x[i] + $x2[$x] / ({eps})"), "input[i] + other[input] / (1e-5)");
  EXPECT_EQ(words.apply("if (a) {b} {eps }"), "if (a) {b} {eps }");
  EXPECT_THROW(words.apply("$x_"), base::CheckFailure);
  EXPECT_THROW(words.apply("costs 5 $"), base::CheckFailure);
}

TEST(Spelling, KeysComeOnceInOrder) {
  EXPECT_EQ(keys_in("$b[$a] + $b - ${c} $9"), (std::vector<std::string>{"b", "a", ""}));
}

}  // namespace
}  // namespace cuset::gym
