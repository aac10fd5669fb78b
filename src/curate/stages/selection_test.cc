#include "curate/stages/selection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.h"

namespace cuset::curate {
namespace {

Candidate candidate(uint32_t row, const std::string& task, bool is_correct, double speedup, int64_t tokens) {
  Candidate made;
  made.row = row;
  made.task = task;
  made.family = task;
  made.is_correct = made.is_left = is_correct;
  if (is_correct) made.speedup = speedup;
  made.reasoning_tokens = tokens;
  return made;
}

// s: the shortest is the fastest. t: it is not, but one is 6 times faster. u: neither. v: nothing correct.
std::vector<Candidate> four_tasks() {
  return {candidate(0, "s", true, 2.0, 100), candidate(1, "s", true, 1.0, 300),
          candidate(2, "s", false, 0, 50),   candidate(3, "t", true, 1.0, 100),
          candidate(4, "t", true, 6.0, 900), candidate(5, "u", true, 1.0, 100),
          candidate(6, "u", true, 2.0, 200), candidate(7, "v", false, 0, 9000),
          candidate(8, "v", false, 0, 9000)};
}

std::set<uint32_t> kept(const std::vector<Candidate>& candidates, const SelectOptions& options,
                        uint64_t seed = 1) {
  const Selection selection = select_rows(candidates, options, seed);
  std::set<uint32_t> rows;
  for (const Candidate& one : candidates)
    if (one.is_left && !selection.rejected.contains(one.row)) rows.insert(one.row);
  return rows;
}

SelectOptions with(SelectRule rule) {
  SelectOptions options;
  options.rule = rule;
  return options;
}

using Rows = std::set<uint32_t>;

TEST(Selection, OneCandidateOfEveryTaskByEachRule) {
  const auto candidates = four_tasks();
  EXPECT_EQ(kept(candidates, with(SelectRule::kAll)), (Rows{0, 1, 3, 4, 5, 6}));
  EXPECT_EQ(kept(candidates, with(SelectRule::kShortest)), (Rows{0, 3, 5}));
  EXPECT_EQ(kept(candidates, with(SelectRule::kLongest)), (Rows{1, 4, 6}));
  EXPECT_EQ(kept(candidates, with(SelectRule::kFastest)), (Rows{0, 4, 6}));
  const Rows random = kept(candidates, with(SelectRule::kRandom));
  EXPECT_EQ(random.size(), 3u);
  EXPECT_EQ(random, kept(candidates, with(SelectRule::kRandom)));
}

TEST(Selection, ConcurTakesShortestThatAreFastestAndTheVeryFast) {
  SelectOptions options = with(SelectRule::kConcur);
  EXPECT_EQ(kept(four_tasks(), options), (Rows{0, 4}));
  const Selection selection = select_rows(four_tasks(), options, 1);
  EXPECT_EQ(selection.summary["of_rule"].dump(),
            R"({"shortest_and_fastest":1,"speedup":1,"single_operator":0})");
  options.speedup = 10;
  EXPECT_EQ(kept(four_tasks(), options), (Rows{0}));
}

TEST(Selection, ConcurFillsUpWithSingleOperators) {
  SelectOptions options = with(SelectRule::kConcur);
  options.fused = {"s", "t"};
  options.single_share = 0.3;
  EXPECT_EQ(kept(four_tasks(), options), (Rows{0, 4, 5}));
}

TEST(Selection, RulesBySpeedNeedTimes) {
  auto candidates = four_tasks();
  for (Candidate& one : candidates) one.speedup.reset();
  EXPECT_THROW(select_rows(candidates, with(SelectRule::kConcur), 1), base::Error);
  EXPECT_THROW(select_rows(candidates, with(SelectRule::kFastest), 1), base::Error);
  EXPECT_EQ(kept(candidates, with(SelectRule::kShortest)), (Rows{0, 3, 5}));
}

TEST(Selection, DifficultyIsTheMeanLengthOfAllCandidates) {
  SelectOptions options;
  options.easy = 200;
  options.hard = 1000;
  const Selection selection = select_rows(four_tasks(), options, 1);
  EXPECT_EQ(selection.difficulty.at(0), "easy");  // (100 + 300 + 50) / 3
  EXPECT_EQ(selection.difficulty.at(4), "medium");
  EXPECT_EQ(selection.difficulty.at(7), "hard");
  EXPECT_EQ(selection.summary["unit"], "tokens");
  EXPECT_EQ(selection.summary["pass_rate"]["hard"], 0.0);
  EXPECT_LT(selection.summary["correlation"].get<double>(), 0);
}

TEST(Selection, WithoutRecordedTokensWordsCount) {
  auto candidates = four_tasks();
  candidates[3].reasoning_tokens = -1;
  for (Candidate& one : candidates) one.reasoning_words = 1000 - one.row;
  EXPECT_EQ(kept(candidates, with(SelectRule::kShortest)), (Rows{1, 4, 6}));
}

TEST(Selection, FamiliesAndCountAreLimited) {
  SelectOptions options;
  options.per_family = 1;
  EXPECT_EQ(kept(four_tasks(), options).size(), 3u);
  options.count = 2;
  EXPECT_EQ(kept(four_tasks(), options).size(), 2u);
}

TEST(Selection, RankCorrelationByHand) {
  EXPECT_DOUBLE_EQ(*rank_correlation({1, 2, 3, 4}, {10, 20, 30, 25}), 0.8);
  // scipy.stats.spearmanr([1, 2, 2, 3], [4, 3, 2, 1])
  EXPECT_NEAR(*rank_correlation({1, 2, 2, 3}, {4, 3, 2, 1}), -0.9486832980505138, 1e-12);
  EXPECT_FALSE(rank_correlation({1, 1, 1}, {1, 2, 3}));
}

}  // namespace
}  // namespace cuset::curate
