#include "train/loss_guard.h"

#include <gtest/gtest.h>

#include <limits>

namespace cuset {
namespace {

StepFigures figures_of(double cross_entropy) {
  StepFigures figures;
  figures.supervised = 10;
  figures.loss = figures.loss_sum = cross_entropy;
  figures.cross_entropy_sum = 10 * cross_entropy;
  figures.gradient_norm = 1;
  return figures;
}

std::string verdict(LossGuard& guard, const StepFigures& figures) {
  return guard.observe(figures).value_or("well");
}

TEST(LossGuard, WhatIsNotFiniteIsBadFromTheFirstStep) {
  LossGuard guard(0);
  EXPECT_EQ(verdict(guard, figures_of(std::numeric_limits<double>::quiet_NaN())), "the loss is nan");
  StepFigures figures = figures_of(1);
  figures.gradient_norm = std::numeric_limits<double>::infinity();
  EXPECT_EQ(verdict(guard, figures), "the gradient norm is inf");
  EXPECT_EQ(verdict(guard, figures_of(1)), "well");
}

TEST(LossGuard, JumpIsMeasuredFromTheRunningMean) {
  LossGuard guard(3);
  EXPECT_EQ(verdict(guard, figures_of(9)), "well") << "a beginning is no jump";
  for (int i = 0; i < 100; ++i) EXPECT_EQ(verdict(guard, figures_of(1)), "well");
  EXPECT_EQ(verdict(guard, figures_of(3.9)), "well");
  EXPECT_EQ(verdict(guard, figures_of(4.9)), "the cross-entropy jumped from 1.29 to 4.9 per token");
}

TEST(LossGuard, ZeroLetsEveryJumpPass) {
  LossGuard guard(0);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(verdict(guard, figures_of(1)), "well");
  EXPECT_EQ(verdict(guard, figures_of(1000)), "well");
}

TEST(LossGuard, ResumedGuardRemembersTheMean) {
  LossGuard before(3);
  for (int i = 0; i < 20; ++i) before.observe(figures_of(1));
  LossGuard after(3);
  after.restore(before.state(), "state.json");
  EXPECT_EQ(verdict(after, figures_of(5)), "the cross-entropy jumped from 1 to 5 per token");
}

}  // namespace
}  // namespace cuset
