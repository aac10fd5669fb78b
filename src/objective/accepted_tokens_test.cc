#include "objective/accepted_tokens.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cuset::objective {
namespace {

// Tokens of one or more samples: how likely each is, how likely the likeliest is, and whether it is CUDA.
struct Token {
  double p;
  double best;
  bool is_cuda;
};

std::vector<bool> accepted(const std::vector<Token>& tokens, const std::vector<int64_t>& borders,
                           const ObjectiveSettings& settings = {}) {
  std::vector<double> log_p, log_best;
  std::vector<uint8_t> is_cuda;
  for (const Token& token : tokens) {
    log_p.push_back(std::log(token.p));
    log_best.push_back(std::log(token.best));
    is_cuda.push_back(token.is_cuda ? 1 : 0);
  }
  ops::LinearCrossEntropy metrics;
  metrics.log_probability = torch::tensor(log_p, torch::kFloat64);
  metrics.best_log_probability = torch::tensor(log_best, torch::kFloat64);
  const auto mask = torch::tensor(is_cuda).to(torch::kBool);
  const auto rows = accepted_tokens(settings, 0.1, metrics, mask, make_row_segments(borders, torch::kCPU));
  std::vector<bool> values;
  for (int64_t i = 0; i < rows.numel(); ++i) values.push_back(rows[i].item<bool>());
  return values;
}

constexpr Token kLikely{0.9, 0.9, false}, kFlat{0.05, 0.3, false}, kMistake{0.01, 0.95, false};
constexpr Token kKernel{0.9, 0.9, true}, kFlatKernel{0.05, 0.3, true};

std::vector<Token> many(Token token, size_t count) { return std::vector<Token>(count, token); }

TEST(AcceptedTokens, AFewUnlikelyOnesAreAccepted) {
  std::vector<Token> tokens = many(kLikely, 99);
  tokens.push_back(kFlat);
  EXPECT_EQ(accepted(tokens, {0, 100}), std::vector<bool>(100, true));
}

TEST(AcceptedTokens, ManyUnlikelyOnesAreRefused) {
  std::vector<Token> tokens = many(kLikely, 90);
  for (int i = 0; i < 10; ++i) tokens.push_back(kFlat);
  std::vector<bool> wanted(90, true);
  wanted.resize(100, false);
  EXPECT_EQ(accepted(tokens, {0, 100}), wanted);
}

// Kernels are judged by themselves, however little of the rest can be predicted, and the other way round.
TEST(AcceptedTokens, KernelsAndTheRestAreToldApart) {
  std::vector<Token> tokens = many(kFlat, 10);
  for (const Token& token : many(kKernel, 39)) tokens.push_back(token);
  tokens.push_back(kFlatKernel);
  std::vector<bool> wanted(10, false);
  wanted.resize(50, true);
  EXPECT_EQ(accepted(tokens, {0, 50}), wanted);
}

TEST(AcceptedTokens, SamplesAreToldApart) {
  std::vector<Token> tokens = many(kLikely, 39);
  tokens.push_back(kFlat);
  for (const Token& token : many(kFlat, 10)) tokens.push_back(token);
  std::vector<bool> wanted(40, true);
  wanted.resize(50, false);
  EXPECT_EQ(accepted(tokens, {0, 40, 40, 50}), wanted);
}

TEST(AcceptedTokens, WhatTheModelIsSureIsWrongIsRefused) {
  std::vector<Token> tokens = many(kLikely, 99);
  tokens.push_back(kMistake);
  std::vector<bool> wanted(99, true);
  wanted.push_back(false);
  EXPECT_EQ(accepted(tokens, {0, 100}), wanted);
  ObjectiveSettings never;
  never.conflict = 1;
  EXPECT_EQ(accepted(tokens, {0, 100}, never), std::vector<bool>(100, true));
}

TEST(AcceptedTokens, WithoutTheConfidenceMaskAllAre) {
  ObjectiveSettings settings;
  settings.confidence_mask = false;
  EXPECT_EQ(accepted({kFlat, kMistake, kFlatKernel}, {0, 3}, settings), std::vector<bool>(3, true));
}

// What is not a number stays, so that its loss names the sample at fault.
TEST(AcceptedTokens, WhatIsNotANumberStays) {
  EXPECT_EQ(accepted({{std::nan(""), std::nan(""), false}}, {0, 1}), std::vector<bool>(1, true));
}

TEST(AcceptedTokens, OfNoTokensAreNone) { EXPECT_EQ(accepted({}, {0}), std::vector<bool>()); }

}  // namespace
}  // namespace cuset::objective
