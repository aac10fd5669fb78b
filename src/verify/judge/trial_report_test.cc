#include "verify/judge/trial_report.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cuset {
namespace {

OutputComparison output(const char* name, uint64_t elements, std::vector<Difference> wrong) {
  OutputComparison comparison;
  comparison.output = name;
  comparison.elements = elements;
  comparison.wrong = wrong.size();
  comparison.first = std::move(wrong);
  return comparison;
}

TEST(TrialReport, TheFirstOutputWithAWrongElementIsShown) {
  Trial trial;
  trial.variation = Variation::kShifted;
  trial.outputs = {output("a", 6, {}), output("b", 2, {{1, -std::nan(""), 0.1, ""}})};
  EXPECT_EQ(explain_wrong(trial), "b[1] is nan, wanted 0.1; 1 of 2 wrong on shifted inputs");
  EXPECT_DOUBLE_EQ(fraction_right(trial.outputs), 0.875);
}

TEST(TrialReport, NothingWrongIsNothingToSay) {
  Trial trial;
  trial.outputs = {output("a", 6, {})};
  EXPECT_EQ(explain_wrong(trial), "");
  EXPECT_EQ(fraction_right(trial.outputs), 1);
  EXPECT_EQ(fraction_right({}), 0);
}

}  // namespace
}  // namespace cuset
