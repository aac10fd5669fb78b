#include "objective/settings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "base/error.h"

namespace cuset::objective {
namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const base::UsageError& error) {
    return error.one_line();
  }
  return "no error";
}

TEST(Method, NamesGoThereAndBack) {
  for (const std::string_view name : {"sft", "dft", "eaft", "profit", "asft", "cuset", "cuset_plus"}) {
    EXPECT_EQ(name_of(method_named(name)), name);
  }
  EXPECT_EQ(method_named("profit"), Method::kProFit);
}

TEST(Method, AnUnknownOneIsAnsweredWithTheNearest) {
  EXPECT_EQ(
      message_of([] { method_named("cusset"); }),
      "method: there is no \"cusset\"; did you mean 'cuset'? (choose sft, dft, eaft, profit, asft, cuset "
      "or cuset_plus)");
}

TEST(Method, PartsOfCusetAreOnUnlessTheMethodLeavesThemOut) {
  EXPECT_TRUE(defaults_of(Method::kCuset).cuda_mask && defaults_of(Method::kCuset).has_sample_weight());
  const ObjectiveSettings plus = defaults_of(Method::kCusetPlus);
  EXPECT_EQ(plus.method, Method::kCusetPlus);
  EXPECT_TRUE(plus.confidence_mask);
  EXPECT_FALSE(plus.cuda_mask || plus.has_sample_weight());
}

TEST(ObjectiveSettings, ValuesOutOfRangeAreNamed) {
  struct Case {
    std::function<void(ObjectiveSettings&)> spoil;
    const char* message;
  };
  const Case cases[] = {
      {[](auto& s) { s.tau = 1; }, "tau: 1 is out of range (it must be at least 0 and below 1)"},
      {[](auto& s) { s.tau = -0.1; }, "tau: -0.1 is out of range (it must be at least 0 and below 1)"},
      {[](auto& s) { s.tau = NAN; }, "tau: nan is out of range (it must be at least 0 and below 1)"},
      {[](auto& s) { s.tau_ramp = 1.5; },
       "tau_ramp: 1.5 is out of range (it must be a share of the run, from 0 to 1)"},
      {[](auto& s) { s.lambda = -1; }, "lambda: -1 is out of range (it must be 0 or a positive number)"},
      {[](auto& s) { s.lambda = INFINITY; },
       "lambda: inf is out of range (it must be 0 or a positive number)"},
      {[](auto& s) { s.window = 0; }, "window: 0 is out of range (it must be 1 or more)"},
      {[](auto& s) { s.refused_share = 1.5; },
       "refused_share: 1.5 is out of range (it must be a share, from 0 to 1)"},
      {[](auto& s) { s.conflict = 0; }, "conflict: 0 is out of range (it must be above 0, and 1 or less)"},
      {[](auto& s) { s.entropy_exponent = -2; },
       "entropy_exponent: -2 is out of range (it must be 0 or a positive number)"},
      {[](auto& s) { s.divergence = NAN; },
       "divergence: nan is out of range (it must be 0 or a positive number)"},
  };
  for (const Case& c : cases) {
    ObjectiveSettings settings;
    c.spoil(settings);
    EXPECT_EQ(message_of([&] { settings.check(); }), c.message);
  }
  EXPECT_EQ(message_of([] { ObjectiveSettings().check(); }), "no error");
}

TEST(ObjectiveSettings, TauRampsUpAndStays) {
  ObjectiveSettings settings;
  settings.tau = 0.2;
  EXPECT_EQ(settings.tau_at(0), 0.2);
  settings.tau_ramp = 0.5;
  EXPECT_EQ(settings.tau_at(0), 0);
  EXPECT_DOUBLE_EQ(settings.tau_at(0.125), 0.05);
  EXPECT_DOUBLE_EQ(settings.tau_at(0.5), 0.2);
  EXPECT_DOUBLE_EQ(settings.tau_at(1), 0.2);
}

}  // namespace
}  // namespace cuset::objective
