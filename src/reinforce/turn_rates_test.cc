#include "reinforce/turn_rates.h"

#include <gtest/gtest.h>

namespace cuset::reinforce {
namespace {

using judge::Outcome;

// A conversation whose turns had these outcomes, with 10 tokens each.
Conversation conversation_of(const std::string& task, const std::vector<Outcome>& outcomes) {
  Conversation conversation{.task = task};
  for (const Outcome outcome : outcomes) {
    Turn turn{.text = "x", .ids = {}, .finish = "stop", .tokens = 10, .prompt_tokens = 100};
    turn.verdict.task = task;
    turn.verdict.outcome = outcome;
    turn.verdict.reward.compiled = judge::compiled(outcome) ? 1 : 0;
    conversation.turns.push_back(turn);
  }
  conversation.end = outcomes.back() == Outcome::kCorrect ? "correct" : "turns";
  return conversation;
}

double function_rate(const judge::Summary& summary) { return summary.function_pass.at(1).unbiased->value; }

TEST(TurnRates, CountWhatIsSolvedSoFar) {
  const std::vector<Conversation> conversations = {
      conversation_of("a", {Outcome::kCorrect}),
      conversation_of("b", {Outcome::kCompileError, Outcome::kCorrect}),
      conversation_of("c", {Outcome::kCompileError, Outcome::kCrash, Outcome::kWrongOutput}),
      conversation_of("d", {Outcome::kNoCode, Outcome::kNoCode, Outcome::kCorrect})};
  const std::vector<TurnRates> rates = rates_by_turn(conversations, 3);
  ASSERT_EQ(rates.size(), 3u);
  EXPECT_EQ(rates[0].answers, 4u);
  EXPECT_EQ(rates[1].answers, 3u);
  EXPECT_EQ(rates[2].answers, 2u);
  EXPECT_EQ(rates[0].tokens, 40);
  EXPECT_EQ(rates[1].tokens, 70);
  EXPECT_EQ(rates[2].tokens, 90);
  EXPECT_EQ(rates[2].prompt_tokens, 900);
  EXPECT_DOUBLE_EQ(function_rate(rates[0].after), 0.25);
  EXPECT_DOUBLE_EQ(function_rate(rates[1].after), 0.5);
  EXPECT_DOUBLE_EQ(function_rate(rates[2].after), 0.75);
  EXPECT_DOUBLE_EQ(gain_of_turns(conversations, 3)->value, 0.5);
  EXPECT_EQ(verdicts_after(conversations, 3)[2].tokens, 30) << "of all turns";

  const base::Json json = json_of_rates(conversations, 3);
  EXPECT_EQ(json["turns"][1]["tokens"], 70);
  EXPECT_EQ(json["turns"][1]["after"]["function_pass"]["1"]["unbiased"]["value"], 0.5);
  EXPECT_EQ(json["ends"]["correct"], 3);
  EXPECT_EQ(json["ends"]["turns"], 1);
  EXPECT_EQ(json["gain"]["value"], 0.5);
}

TEST(TurnRates, TurnsThatNobodyTookChangeNothing) {
  const std::vector<Conversation> conversations = {conversation_of("a", {Outcome::kCorrect})};
  const std::vector<TurnRates> rates = rates_by_turn(conversations, 2);
  ASSERT_EQ(rates.size(), 2u);
  EXPECT_EQ(rates[1].answers, 0u);
  EXPECT_EQ(rates[1].tokens, 10);
  EXPECT_DOUBLE_EQ(function_rate(rates[1].after), 1);
}

}  // namespace
}  // namespace cuset::reinforce
