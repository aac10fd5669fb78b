#include "reinforce/critic_scores.h"

#include <gtest/gtest.h>

namespace cuset::reinforce {
namespace {

std::string complaint(std::string_view text) {
  const auto parsed = parse_critic_scores(text);
  const auto* reason = std::get_if<std::string>(&parsed);
  return reason == nullptr ? "accepted" : *reason;
}

CriticScores scores(std::string_view text) {
  const auto parsed = parse_critic_scores(text);
  EXPECT_TRUE(std::holds_alternative<CriticScores>(parsed)) << complaint(text);
  return std::holds_alternative<CriticScores>(parsed) ? std::get<CriticScores>(parsed) : CriticScores{};
}

TEST(CriticScores, AreReadFromPlainAndWrappedObjects) {
  const CriticScores plain =
      scores(R"({"correctness": 0.5, "compilability": 1, "speed": 0.3, "reasoning": "no {guard}"})");
  EXPECT_EQ(plain.correctness, 0.5);
  EXPECT_EQ(plain.compilability, 1);
  EXPECT_EQ(plain.speed, 0.3);
  EXPECT_EQ(plain.reasoning, "no {guard}");
  EXPECT_DOUBLE_EQ(plain.mean(), 0.6);
  EXPECT_EQ(
      scores("Here it is:\n```json\n{\"correctness\": 0.25, \"compilability\": 0, \"speed\": 0}\n```\nDone.")
          .correctness,
      0.25);
}

TEST(CriticScores, TheLastWordCountsAndReasoningDoesNot) {
  EXPECT_EQ(scores(R"({"correctness": 1, "compilability": 1, "speed": 1} is too much:
                      {"correctness": 0, "compilability": 1, "speed": 1})")
                .correctness,
            0);
  EXPECT_EQ(complaint("<think>\n{\"correctness\": 1, \"compilability\": 1, \"speed\": 1}\n</think>\nGood."),
            "no JSON object with scores in \"\\nGood.\"");
}

TEST(CriticScores, AreBroughtInsideTheScale) {
  const CriticScores found = scores(R"({"correctness": 1.05, "compilability": -0.2, "speed": 2})");
  EXPECT_EQ(found.correctness, 1);
  EXPECT_EQ(found.compilability, 0);
  EXPECT_EQ(found.speed, 1);
}

TEST(CriticScores, WhatIsNoScoreIsRefused) {
  EXPECT_EQ(complaint(""), "no JSON object with scores in \"\"");
  EXPECT_EQ(complaint("{\"score\": 1}"), "no JSON object with scores in '{\"score\": 1}'");
  EXPECT_EQ(complaint(R"({"correctness": 1, "compilability": 1})"), "speed is not a number");
  EXPECT_EQ(complaint(R"({"correctness": "high", "compilability": 1, "speed": 1})"),
            "correctness is not a number");
  EXPECT_EQ(complaint(R"({"correctness": 8, "compilability": 9, "speed": 7})"),
            "correctness is 8, which is not on the scale from 0 to 1");
  EXPECT_NE(complaint(std::string(100'000, '{')), "accepted");
}

TEST(CriticScores, TheQuestionHasTaskAndCode) {
  const std::string question = critic_question("Add two vectors.", "__global__ void add() {}");
  for (const char* part :
       {"Add two vectors.", "__global__ void add() {}", "correctness", "compilability", "speed"})
    EXPECT_NE(question.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace cuset::reinforce
