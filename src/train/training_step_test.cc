#include "train/training_step.h"

#include <gtest/gtest.h>

#include <set>

#include "support/tiny_training.h"

namespace cuset::train {
namespace {

class TrainingStepTest : public support::TinyTraining {};

struct Split {
  Batching batching;
  size_t batch;
  size_t accumulation;
};

const Split kSplits[] = {{Batching::kSamples, 1, 8},       {Batching::kSamples, 2, 4},
                         {Batching::kSamples, 8, 1},       {Batching::kPackedSamples, 1, 8},
                         {Batching::kPackedSamples, 8, 1}, {Batching::kPackedSamples, 2, 4}};

StepData first_step(const std::vector<data::Example>& examples, const Split& split) {
  std::vector<size_t> lengths;
  for (const data::Example& example : examples) lengths.push_back(example.ids.size());
  DataOrderSettings settings;
  settings.batching = split.batching;
  settings.capacity = 64;
  settings.batch = split.batch;
  settings.accumulation = split.accumulation;
  return DataOrder(lengths, settings).step(0);
}

struct Outcome {
  torch::Tensor gradient;
  StepMetrics metrics;
};

Outcome outcome_of(model::Decoder& decoder, const StepSettings& settings, const Split& split) {
  const std::vector<data::Example> examples = support::tiny_examples(20);
  const Ranks alone;
  TrainingStep step(decoder, examples, alone, settings, 7);
  const StepMetrics metrics = step.run(first_step(examples, split), 0.5);
  return {decoder.trained().gradient().clone(), metrics};
}

double relative_difference(const torch::Tensor& a, const torch::Tensor& b) {
  return ((a - b).to(torch::kFloat64).norm() / b.to(torch::kFloat64).norm()).item<double>();
}

StepSettings settings_of(objective::Method method, LossDenominator loss_denominator) {
  StepSettings settings;
  settings.objective.method = method;
  settings.objective.window = 8;
  settings.objective.tau = 0.02;
  settings.loss_denominator = loss_denominator;
  settings.max_gradient_norm = 0;
  return settings;
}

TEST_F(TrainingStepTest, GradientIsTheSameForEverySplit) {
  model::Decoder decoder = support::tiny_decoder();
  for (const objective::Method method : {objective::Method::kCuset, objective::Method::kAsft}) {
    for (const LossDenominator loss_denominator :
         {LossDenominator::kTokens, LossDenominator::kWeights, LossDenominator::kSamples}) {
      const StepSettings settings = settings_of(method, loss_denominator);
      const Outcome first = outcome_of(decoder, settings, kSplits[0]);
      EXPECT_GT(first.gradient.norm().item<double>(), 1e-3);
      for (const Split& split : kSplits) {
        const Outcome other = outcome_of(decoder, settings, split);
        EXPECT_LT(relative_difference(other.gradient, first.gradient), 1e-6)
            << objective::name_of(method) << ", " << name_of(loss_denominator) << ", " << split.batch << " x "
            << split.accumulation;
        EXPECT_NEAR(other.metrics.loss, first.metrics.loss, 1e-6 * first.metrics.loss);
        EXPECT_NEAR(other.metrics.gradient_norm, first.metrics.gradient_norm,
                    1e-6 * first.metrics.gradient_norm);
        EXPECT_EQ(other.metrics.masked_in_sum, first.metrics.masked_in_sum);
        EXPECT_EQ(other.metrics.supervised, first.metrics.supervised);
      }
    }
  }
}

TEST_F(TrainingStepTest, GradientOfAllWeightsIsTheSameForEverySplit) {
  model::Decoder decoder = support::tiny_decoder(/*full=*/true);
  const StepSettings settings = settings_of(objective::Method::kCuset, LossDenominator::kTokens);
  const Outcome first = outcome_of(decoder, settings, kSplits[0]);
  for (const Split& split : kSplits) {
    EXPECT_LT(relative_difference(outcome_of(decoder, settings, split).gradient, first.gradient), 1e-6);
  }
}

TEST_F(TrainingStepTest, RecomputationChangesNoBit) {
  model::Decoder decoder = support::tiny_decoder();
  StepSettings settings = settings_of(objective::Method::kCuset, LossDenominator::kTokens);
  const Outcome kept = outcome_of(decoder, settings, kSplits[1]);
  settings.recompute = true;
  EXPECT_TRUE(torch::equal(outcome_of(decoder, settings, kSplits[1]).gradient, kept.gradient));
}

TEST_F(TrainingStepTest, LossDenominatorsDifferByTheirCounts) {
  model::Decoder decoder = support::tiny_decoder();
  const auto outcome = [&](LossDenominator loss_denominator) {
    return outcome_of(decoder, settings_of(objective::Method::kCuset, loss_denominator), kSplits[0]);
  };
  const Outcome tokens = outcome(LossDenominator::kTokens);
  const Outcome weights = outcome(LossDenominator::kWeights);
  const Outcome samples = outcome(LossDenominator::kSamples);
  const auto count = static_cast<double>(tokens.metrics.supervised);
  EXPECT_NEAR(samples.metrics.loss, tokens.metrics.loss * count / 8, 1e-9);
  EXPECT_NEAR(weights.metrics.loss, tokens.metrics.loss * count / tokens.metrics.weight_sum, 1e-9);
  EXPECT_LT(relative_difference(samples.gradient, tokens.gradient * (count / 8)), 1e-6);
  EXPECT_LT(relative_difference(weights.gradient, tokens.gradient * (count / tokens.metrics.weight_sum)),
            1e-6);
}

TEST_F(TrainingStepTest, GradientIsClippedToTheNorm) {
  model::Decoder decoder = support::tiny_decoder();
  StepSettings settings = settings_of(objective::Method::kSft, LossDenominator::kTokens);
  settings.max_gradient_norm = 0.01;
  const Outcome outcome = outcome_of(decoder, settings, kSplits[0]);
  EXPECT_GT(outcome.metrics.gradient_norm, 0.02);
  EXPECT_NEAR(outcome.gradient.norm().item<double>(), 0.01, 1e-5);
}

TEST_F(TrainingStepTest, LowestWindowBelongsToTheSampleWithTheLargestWeight) {
  model::Decoder decoder = support::tiny_decoder();
  const StepMetrics metrics =
      outcome_of(decoder, settings_of(objective::Method::kCuset, LossDenominator::kTokens), kSplits[1])
          .metrics;
  EXPECT_LT(metrics.lowest.sample, 8u);
  EXPECT_GT(metrics.lowest.confidence, 0);
  EXPECT_LE(1 - metrics.lowest.confidence, 1);
  EXPECT_GE(1 - metrics.lowest.confidence, metrics.sample_weight_sum / 8);
}

TEST_F(TrainingStepTest, RowsWithoutAFiniteLossAreNamed) {
  model::Decoder decoder = support::tiny_decoder();
  std::vector<data::Example> examples = support::tiny_examples(8);
  examples[2].ids[1] = support::kPoison;
  examples[5].ids[0] = support::kPoison;
  const Ranks alone;
  TrainingStep step(decoder, examples, alone, settings_of(objective::Method::kSft, LossDenominator::kTokens),
                    7);
  for (const Split& split : {kSplits[0], kSplits[1]}) {
    const StepData data = first_step(examples, split);
    EXPECT_FALSE(step.run(data, 0).is_finite());
    std::set<std::string> places;
    for (const OffendingRow& row : step.offending_rows(data, 0)) places.insert(row.place);
    EXPECT_EQ(places, (std::set<std::string>{"data.jsonl:3", "data.jsonl:6"}));
  }
}

TEST_F(TrainingStepTest, RowsWithTheLargestLossesAreNamed) {
  model::Decoder decoder = support::tiny_decoder();
  const std::vector<data::Example> examples = support::tiny_examples(8);
  const Ranks alone;
  TrainingStep step(decoder, examples, alone, settings_of(objective::Method::kSft, LossDenominator::kTokens),
                    7);
  const std::vector<OffendingRow> worst = step.offending_rows(first_step(examples, kSplits[1]), 0, 3);
  const std::vector<OffendingRow> all = step.offending_rows(first_step(examples, kSplits[1]), 0, 8);
  ASSERT_EQ(worst.size(), 3u);
  ASSERT_EQ(all.size(), 8u);
  for (size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1].loss, all[i].loss);
  EXPECT_EQ(worst[0].place, all[0].place);
}

}  // namespace
}  // namespace cuset::train
