#include "train/loss_guard.h"

#include <gtest/gtest.h>

#include <limits>

namespace cuset::train {
namespace {

StepMetrics metrics_of(double cross_entropy) {
  StepMetrics metrics;
  metrics.supervised = 10;
  metrics.loss = metrics.loss_sum = cross_entropy;
  metrics.cross_entropy_sum = 10 * cross_entropy;
  metrics.gradient_norm = 1;
  return metrics;
}

std::string verdict(LossGuard& guard, const StepMetrics& metrics) {
  return guard.observe(metrics).value_or("well");
}

TEST(LossGuard, WhatIsNotFiniteIsBadFromTheFirstStep) {
  LossGuard guard(0);
  EXPECT_EQ(verdict(guard, metrics_of(std::numeric_limits<double>::quiet_NaN())), "the loss is nan");
  StepMetrics metrics = metrics_of(1);
  metrics.gradient_norm = std::numeric_limits<double>::infinity();
  EXPECT_EQ(verdict(guard, metrics), "the gradient norm is inf");
  EXPECT_EQ(verdict(guard, metrics_of(1)), "well");
}

TEST(LossGuard, JumpIsMeasuredFromTheRunningMean) {
  LossGuard guard(3);
  EXPECT_EQ(verdict(guard, metrics_of(9)), "well") << "a beginning is not a jump";
  for (int i = 0; i < 100; ++i) EXPECT_EQ(verdict(guard, metrics_of(1)), "well");
  EXPECT_EQ(verdict(guard, metrics_of(3.9)), "well");
  EXPECT_EQ(verdict(guard, metrics_of(4.9)), "the cross-entropy jumped from 1.29 to 4.9 per token");
}

TEST(LossGuard, ZeroLetsEveryJumpPass) {
  LossGuard guard(0);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(verdict(guard, metrics_of(1)), "well");
  EXPECT_EQ(verdict(guard, metrics_of(1000)), "well");
}

TEST(LossGuard, ResumedGuardRemembersTheMean) {
  LossGuard before(3);
  for (int i = 0; i < 20; ++i) before.observe(metrics_of(1));
  LossGuard after(3);
  after.restore(before.state(), "state.json");
  EXPECT_EQ(verdict(after, metrics_of(5)), "the cross-entropy jumped from 1 to 5 per token");
}

}  // namespace
}  // namespace cuset::train
