// tests/interop/policy_against_python.py compares every variant with an independent implementation; here are values
// by hand and what must hold whatever the numbers.
#include "objective/policy_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace cuset::objective {
namespace {

constexpr LossType kLossTypes[] = {LossType::kGrpo, LossType::kBnpo, LossType::kDrGrpo, LossType::kDapo,
                                   LossType::kGspo, LossType::kRloo, LossType::kCispo};

torch::Tensor doubles(const std::vector<double>& values) { return torch::tensor(values, torch::kFloat64); }

// Two completions of two tokens and one.
PolicyRows two_completions() {
  PolicyRows rows;
  rows.borders = {0, 2, 3};
  rows.advantages = doubles({1, -1});
  rows.is_masked = torch::tensor({false, false});
  return rows;
}

PolicySettings settings_of(LossType type) {
  PolicySettings settings;
  settings.loss_type = type;
  settings.max_completion_length = 10;
  if (type == LossType::kCispo) settings.epsilon_high = 5;
  return settings;
}

std::vector<double> weights_of(const PolicySettings& settings, const PolicyRows& rows) {
  const auto loss = policy_loss(settings, doubles({-0.5, -1, -2}), rows, {2, 3}).row_weight;
  return {loss.data_ptr<double>(), loss.data_ptr<double>() + loss.numel()};
}

void expect_weights(LossType type, const std::vector<double>& wanted) {
  const std::vector<double> found = weights_of(settings_of(type), two_completions());
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-15) << name_of(type);
}

TEST(PolicyLoss, FirstIterationWeighsTokensByAdvantageAndShare) {
  expect_weights(LossType::kGrpo, {0.25, 0.25, -0.5});
  expect_weights(LossType::kDrGrpo, {1 / 20.0, 1 / 20.0, -1 / 20.0});
  expect_weights(LossType::kDapo, {1 / 3.0, 1 / 3.0, -1 / 3.0});
  expect_weights(LossType::kCispo, {1 / 3.0, 1 / 3.0, -1 / 3.0});
  expect_weights(LossType::kGspo, {0.25, 0.25, -0.5});
  expect_weights(LossType::kRloo, {0.5, 0.5, -0.5});
}

TEST(PolicyLoss, RatiosBeyondTheirBoundGiveNoGradient) {
  PolicySettings settings = settings_of(LossType::kDapo);
  settings.epsilon = 0.2;
  settings.epsilon_high = 0.5;
  PolicyRows rows = two_completions();
  // Ratios 1.4 (inside the upper bound), 2 (beyond it), 0.5 with A < 0 (beyond the lower one).
  rows.old_log_probability = doubles({-0.5 - std::log(1.4), -1 - std::log(2), -2 - std::log(0.5)});
  const PolicyLoss loss = policy_loss(settings, doubles({-0.5, -1, -2}), rows, {2, 3});
  EXPECT_NEAR(loss.row_weight[0].item<double>(), 1.4 / 3, 1e-12);
  EXPECT_EQ(loss.row_weight[1].item<double>(), 0);
  EXPECT_EQ(loss.row_weight[2].item<double>(), 0);
  EXPECT_NEAR(loss.loss.item<double>(), (-1.4 - 1.5 + 0.8) / 3, 1e-12);
  EXPECT_EQ(loss.clipped_high_sum.item<double>(), 1);
  EXPECT_EQ(loss.clipped_low_sum.item<double>(), 1);
}

TEST(PolicyLoss, DivergenceIsZeroAtTheReferenceAndPullsBackToIt) {
  PolicySettings settings = settings_of(LossType::kDapo);
  settings.beta = 0.3;
  PolicyRows rows = two_completions();
  rows.advantages = doubles({0, 0});
  rows.reference_log_probability = doubles({-0.5, -2, -1});
  const PolicyLoss loss = policy_loss(settings, doubles({-0.5, -1, -2}), rows, {2, 3});
  EXPECT_EQ(loss.row_weight[0].item<double>(), 0);
  EXPECT_LT(loss.row_weight[1].item<double>(), 0) << "too probable";
  EXPECT_GT(loss.row_weight[2].item<double>(), 0) << "too improbable";
  EXPECT_NEAR(loss.divergence_sum.item<double>(), std::exp(-1.0) + std::exp(1.0) - 2, 1e-12);
}

TEST(PolicyLoss, CorrectionTruncatesOrMasksWhatTheSamplerSawOtherwise) {
  PolicySettings settings = settings_of(LossType::kDapo);
  settings.importance_sampling_cap = 1.5;
  PolicyRows rows = two_completions();
  rows.sampler_log_probability = doubles({-0.5 - std::log(1.25), -1 - std::log(2), -2});
  const auto weights = [&](MismatchCorrection mode) {
    settings.importance_sampling_mode = mode;
    return doubles(weights_of(settings, rows)) * 3;
  };
  EXPECT_TRUE(weights(MismatchCorrection::kNone).equal(doubles({1, 1, -1})));
  EXPECT_TRUE(weights(MismatchCorrection::kTokenTruncate).allclose(doubles({1.25, 1.5, -1})));
  EXPECT_TRUE(weights(MismatchCorrection::kTokenMask).allclose(doubles({1.25, 0, -1})));
  EXPECT_TRUE(weights(MismatchCorrection::kSequenceTruncate).allclose(doubles({1.5, 1.5, -1})));
  EXPECT_TRUE(weights(MismatchCorrection::kSequenceMask).allclose(doubles({0, 0, -1})));
  const double mean = std::sqrt(2.5);
  EXPECT_TRUE(weights(MismatchCorrection::kGeometricMask).allclose(doubles({0, 0, -1})));
  settings.importance_sampling_cap = 2;
  EXPECT_TRUE(weights(MismatchCorrection::kGeometricMask).allclose(doubles({mean, mean, -1})));
}

TEST(PolicyLoss, MaskedCompletionsLeaveNothingBehind) {
  PolicyRows rows = two_completions();
  rows.is_masked = torch::tensor({true, true});
  rows.reference_log_probability = doubles({-9, -9, -9});
  for (const LossType type : kLossTypes) {
    PolicySettings settings = settings_of(type);
    settings.beta = 0.1;
    const PolicyLoss loss = policy_loss(settings, doubles({-0.5, -INFINITY, NAN}), rows, {2, 0});
    EXPECT_TRUE(loss.row_weight.equal(torch::zeros({3}, torch::kFloat64))) << name_of(type);
    EXPECT_EQ(loss.loss.item<double>(), 0) << name_of(type);
    EXPECT_EQ(loss.active_tokens.item<double>(), 0);
  }
}

// The same completions in one pack, or in two.
TEST(PolicyLoss, DoesNotDependOnThePacks) {
  torch::manual_seed(3);
  PolicyRows all;
  all.borders = {0, 4, 9, 11, 18};
  all.advantages = doubles({1, -0.5, 0.3, -2});
  all.is_masked = torch::tensor({false, false, true, false});
  const auto present = -torch::rand({18}, torch::kFloat64) * 3;
  all.old_log_probability = present + torch::randn({18}, torch::kFloat64) * 0.2;
  all.sampler_log_probability = present + torch::randn({18}, torch::kFloat64) * 0.2;
  const auto part = [&](int64_t first, int64_t last) {
    PolicyRows rows;
    const int64_t begin = all.borders[static_cast<size_t>(first)];
    for (int64_t i = first + 1; i <= last; ++i)
      rows.borders.push_back(all.borders[static_cast<size_t>(i)] - begin);
    const auto slice = [&](const torch::Tensor& x) { return x.narrow(0, begin, rows.borders.back()); };
    rows.old_log_probability = slice(all.old_log_probability);
    rows.sampler_log_probability = slice(all.sampler_log_probability);
    rows.advantages = all.advantages.slice(0, first, last);
    rows.is_masked = all.is_masked.slice(0, first, last);
    return std::pair(rows, slice(present));
  };
  for (const LossType type : kLossTypes) {
    const PolicyLoss whole = policy_loss(settings_of(type), present, all, {4, 16});
    const auto [first, first_present] = part(0, 1);
    const auto [rest, rest_present] = part(1, 4);
    const PolicyLoss a = policy_loss(settings_of(type), first_present, first, {4, 16});
    const PolicyLoss b = policy_loss(settings_of(type), rest_present, rest, {4, 16});
    EXPECT_TRUE(torch::cat({a.row_weight, b.row_weight}).allclose(whole.row_weight, 1e-12)) << name_of(type);
    EXPECT_NEAR((a.loss + b.loss).item<double>(), whole.loss.item<double>(), 1e-12) << name_of(type);
  }
}

TEST(PolicySettings, NamesAndRangesAreChecked) {
  EXPECT_EQ(loss_type_named("dr_grpo"), LossType::kDrGrpo);
  EXPECT_EQ(mismatch_correction_named("geometric_mask"), MismatchCorrection::kGeometricMask);
  EXPECT_THROW(loss_type_named("gpro"), base::UsageError);
  EXPECT_THROW(scale_rewards_named("std"), base::UsageError);
  PolicySettings settings;
  EXPECT_NO_THROW(settings.check());
  settings.epsilon = NAN;
  EXPECT_THROW(settings.check(), base::UsageError);
  settings = {};
  settings.importance_sampling_min = 4;
  EXPECT_THROW(settings.check(), base::UsageError);
}

}  // namespace
}  // namespace cuset::objective
