#include "generate/score_changes.h"

#include <gtest/gtest.h>

namespace cuset::generate {
namespace {

TEST(ScoreChanges, EveryTokenChangesOnce) {
  const std::vector<UsedToken> used = {{3, 2}, {4, 0}, {5, 1}};
  const std::vector<TokenBias> bias = {{5, -1}, {9, 2}};
  const std::vector<ScoreChange> changes =
      score_changes({.presence_penalty = 1, .frequency_penalty = 0.5}, used, bias);
  ASSERT_EQ(changes.size(), 3U) << "token 4 is in the prompt alone";
  EXPECT_EQ(changes[0].id, 5);
  EXPECT_EQ(changes[0].applied_to(3), 3 - 1 - 1 - 0.5F);
  EXPECT_EQ(changes[1].applied_to(3), 5);
  EXPECT_EQ(changes[2].id, 3);
  EXPECT_EQ(changes[2].applied_to(3), 3 - 1 - 2 * 0.5F);
}

TEST(ScoreChanges, SettingsThatAskForNothingChangeNothing) {
  const std::vector<UsedToken> used = {{3, 2}};
  EXPECT_TRUE(score_changes({.temperature = 1}, used, {}).empty());
  EXPECT_FALSE(counts_tokens({.temperature = 0.1, .top_k = 3}));
  EXPECT_EQ(score_changes({.repetition_penalty = 2}, used, {})[0].applied_to(-3), -6);
}

TEST(ScoreChanges, HistoryCountsTheAnswerAndRemembersThePrompt) {
  TokenHistory history;
  for (const int64_t id : {7, 8, 7}) history.add_prompt(id);
  for (const int64_t id : {8, 9, 8}) history.add_answer(id);
  ASSERT_EQ(history.tokens().size(), 3U);
  const std::vector<int64_t> times = {history.tokens()[0].times, history.tokens()[1].times,
                                      history.tokens()[2].times};
  EXPECT_EQ(times, (std::vector<int64_t>{0, 2, 1}));
}

}  // namespace
}  // namespace cuset::generate
