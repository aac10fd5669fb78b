#include "gym/words/names.h"

#include <gtest/gtest.h>

#include <set>

namespace cuset::gym {
namespace {

TEST(NameScope, NoNameComesTwice) {
  NameScope scope;
  base::RandomStream stream(1, "names");
  std::set<std::string> names;
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(names.insert(scope.draw_local("i", stream)).second);
}

TEST(NameScope, WordsOfTheLanguageGetANumber) {
  NameScope scope;
  EXPECT_EQ(scope.take("max"), "max2");
  EXPECT_EQ(scope.take("threadIdx"), "threadIdx2");
  EXPECT_EQ(scope.take("total"), "total");
  EXPECT_EQ(scope.take("total"), "total2");
}

TEST(NameScope, AKeyWithoutPoolStaysAsItIs) {
  NameScope scope;
  base::RandomStream stream(1, "names");
  EXPECT_EQ(scope.draw_local("quotient", stream), "quotient");
  EXPECT_EQ(scope.draw_file("learning_signal", false, stream), "learning_signal");
}

TEST(Names, SpellingsOfAConstant) {
  EXPECT_EQ(camel("softmax_rows_2d"), "softmaxRows2d");
  EXPECT_EQ(capitalized("n_cols"), "NCols");
  EXPECT_EQ(upper("n_cols"), "N_COLS");
}

}  // namespace
}  // namespace cuset::gym
