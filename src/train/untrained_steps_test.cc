#include "train/untrained_steps.h"

#include <gtest/gtest.h>

namespace cuset::train {
namespace {

StepMetrics metrics_of(double masked_in) {
  StepMetrics metrics;
  metrics.supervised = 10;
  metrics.confidence_sum = 0.2;
  metrics.gradient_norm = masked_in > 0 ? 1 : 0;
  metrics.masked_in_sum = masked_in;
  return metrics;
}

objective::ObjectiveSettings profit() {
  objective::ObjectiveSettings settings;
  settings.method = objective::Method::kProFit;
  settings.tau = 0.25;
  return settings;
}

TEST(UntrainedSteps, WarnsOnceAndCountsAtTheEnd) {
  UntrainedSteps steps(profit());
  EXPECT_EQ(steps.observe(metrics_of(3), 1), std::nullopt);
  EXPECT_EQ(
      steps.observe(metrics_of(0), 2),
      "step 2: profit trains none of its 10 tokens, whose mean confidence is 0.02 (tau is 0.25: lower it, let it rise "
      "with tau_ramp, or begin with objective: sft)");
  EXPECT_EQ(steps.observe(metrics_of(0), 3), std::nullopt);
  EXPECT_EQ(steps.at_end()->find("nothing was learned in 2 of 3 steps (tau is 0.25"), 0u) << *steps.at_end();
}

TEST(UntrainedSteps, ARunThatTrainedNothingSaysSo) {
  UntrainedSteps steps(profit());
  EXPECT_EQ(steps.at_end(), std::nullopt);
  steps.observe(metrics_of(0), 1);
  EXPECT_EQ(steps.at_end()->find("nothing was learned in any step: the result is what the run began with"),
            0u);
}

TEST(UntrainedSteps, AGradientOfZeroIsNoObjectivesFault) {
  UntrainedSteps steps(profit());
  StepMetrics metrics = metrics_of(10);
  metrics.gradient_norm = 0;
  EXPECT_EQ(
      steps.observe(metrics, 1),
      "step 1: the gradient is 0, so nothing is learned (the model's weights may be damaged: `cuset chat` shows what "
      "it writes)");
}

TEST(UntrainedSteps, TrainedStepsSayNothing) {
  UntrainedSteps steps(profit());
  steps.observe(metrics_of(1), 1);
  EXPECT_EQ(steps.at_end(), std::nullopt);
}

}  // namespace
}  // namespace cuset::train
