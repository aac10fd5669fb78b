#include "reinforce/rollout.h"

#include <gtest/gtest.h>

#include <set>

namespace cuset::reinforce {
namespace {

TEST(PromptOrder, EveryPassHasAllPromptsInAnotherOrder) {
  PromptOrder order(10, 7);
  std::vector<size_t> first, second;
  for (int i = 0; i < 10; ++i) first.push_back(order.take());
  EXPECT_EQ(order.epoch(), 1);
  for (int i = 0; i < 10; ++i) second.push_back(order.take());
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 10u);
  EXPECT_EQ(std::set(second.begin(), second.end()).size(), 10u);
  EXPECT_NE(first, second);
}

TEST(PromptOrder, FirstPassMayBeTheGivenOne) {
  PromptOrder order(10, 7, PromptOrder::FirstPass::kAsGiven), random(10, 7);
  for (size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(order.take(), i);
    random.take();
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(order.take(), random.take()) << "then as ever";
}

TEST(PromptOrder, ContinuesAnywhere) {
  PromptOrder order(10, 7), other(10, 7);
  for (int i = 0; i < 13; ++i) order.take();
  other.seek(13);
  for (int i = 0; i < 30; ++i) EXPECT_EQ(order.take(), other.take()) << i;
  EXPECT_EQ(order.drawn(), 43u);
}

}  // namespace
}  // namespace cuset::reinforce
