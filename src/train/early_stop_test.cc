#include "train/early_stop.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/error.h"

namespace cuset::train {
namespace {

// One letter per value: 'b' for a new best, '.' otherwise; '!' follows where the run would stop.
std::string course(const EarlyStopSettings& settings, const std::vector<double>& values) {
  EarlyStop stop(settings);
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) {
    text += stop.observe(static_cast<int64_t>(i), values[i]) ? 'b' : '.';
    if (stop.should_stop()) text += '!';
  }
  return text;
}

TEST(EarlyStop, StopsAfterPatienceEvaluationsWithoutImprovement) {
  EXPECT_EQ(course({.patience = 2}, {3, 2, 2, 1, 1.5, 1.5, 1.5}), "bb.b..!.!");
  EXPECT_EQ(course({.patience = 1}, {1, 1}), "b.!");
}

TEST(EarlyStop, WithoutPatienceNeverStops) { EXPECT_EQ(course({}, {1, 2, 3, 4, 5}), "b...."); }

TEST(EarlyStop, SmallImprovementIsTheBestButDoesNotResetTheCount) {
  EXPECT_EQ(course({.patience = 2, .min_delta = 0.5}, {3, 2.8, 2.6}), "bbb!");
  EXPECT_EQ(course({.patience = 2, .min_delta = 0.5}, {3, 2.8, 2.2}), "bbb");
  EXPECT_EQ(course({.patience = 1, .min_delta = 0.5}, {3, 2.5}), "bb!") << "exactly min_delta is not enough";
}

TEST(EarlyStop, GreaterCanBeBetter) {
  EXPECT_EQ(course({.patience = 1, .greater_is_better = true}, {0.5, 0.6, 0.55}), "bb.!");
}

TEST(EarlyStop, NotANumberIsNoImprovement) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(course({.patience = 2}, {nan, 1, nan, nan}), ".b..!");
}

TEST(EarlyStop, GoesOnFromItsState) {
  EarlyStop stop({.patience = 3});
  stop.observe(10, 0.1);
  stop.observe(20, 0.2);
  EarlyStop resumed({.patience = 3});
  resumed.restore(base::Json::parse(stop.state().dump()), "state.json");
  EXPECT_EQ(resumed.best(), (EarlyStop::Best{10, 0.1}));
  EXPECT_EQ(resumed.disappointments(), 1);
  resumed.restore(EarlyStop({}).state(), "state.json");
  EXPECT_FALSE(resumed.best());
}

TEST(EarlyStop, MalformedStateIsAnErrorWithItsPlace) {
  const auto error_of = [](const char* text) {
    try {
      EarlyStop({}).restore(base::Json::parse(text), "state.json");
    } catch (const base::Error& error) {
      return error.one_line();
    }
    return std::string("no error");
  };
  const std::string remedy = " (resume from another checkpoint)";
  EXPECT_EQ(error_of("{}"), "state.json: field 'early_stop.disappointments' is missing" + remedy);
  EXPECT_EQ(error_of("[]"), "state.json: field 'early_stop' must be an object, found a list" + remedy);
  EXPECT_EQ(
      error_of(R"({"disappointments": 1.5})"),
      "state.json: field 'early_stop.disappointments' must be a whole number, found the number 1.5" + remedy);
  EXPECT_EQ(error_of(R"({"disappointments": 18446744073709551615})"),
            "state.json: field 'early_stop.disappointments' must be a whole number, found the number "
            "18446744073709551615" +
                remedy);
  EXPECT_EQ(error_of(R"({"disappointments": 1, "best": 3})"),
            "state.json: field 'early_stop.best' must be an object, found the number 3" + remedy);
  EXPECT_EQ(error_of(R"({"disappointments": 1, "best": {"step": 3, "value": "x"}})"),
            "state.json: field 'early_stop.best.value' must be a number, found the string \"x\"" + remedy);
}

}  // namespace
}  // namespace cuset::train
