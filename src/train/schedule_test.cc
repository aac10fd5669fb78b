#include "train/schedule.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "base/json/json.h"

namespace cuset::train {
namespace {

// testdata/train/make_reference.py computed the rates with Hugging Face's get_scheduler.
TEST(Schedule, EqualsHuggingFace) {
  const base::Json reference = base::read_json_file("testdata/train/schedule.json");
  size_t compared = 0;
  for (const base::Json& wanted : reference["cases"]) {
    const auto steps = wanted["steps"].get<int64_t>();
    const Schedule schedule({.kind = schedule_named(wanted["kind"].get<std::string>()),
                             .learning_rate = reference["learning_rate"].get<double>(),
                             .warmup_steps = wanted["warmup_steps"].get<int64_t>(),
                             .warmup_ratio = wanted["warmup_ratio"].get<double>(),
                             .min_lr = wanted.value("min_lr", 0.0),
                             .min_lr_rate = wanted.value("min_lr_rate", 0.0)},
                            steps);
    EXPECT_EQ(schedule.warmup_steps(), wanted["warmup"].get<int64_t>());
    for (size_t done = 0; done < wanted["rates"].size(); ++done, ++compared) {
      const double rate = wanted["rates"][done].get<double>();
      EXPECT_NEAR(schedule.learning_rate(static_cast<int64_t>(done)), rate, 1e-19)
          << wanted["kind"] << " of " << steps << " steps, " << done << " done";
    }
  }
  EXPECT_EQ(compared, 558u);
}

TEST(Schedule, NamesGoBothWays) {
  for (const auto kind : {ScheduleKind::kLinear, ScheduleKind::kCosine, ScheduleKind::kConstant,
                          ScheduleKind::kConstantWithWarmup, ScheduleKind::kCosineWithMinLr}) {
    EXPECT_EQ(schedule_named(name_of(kind)), kind);
  }
}

TEST(Schedule, BadSettingsAreUsageErrors) {
  const auto error_of = [](const auto& action) {
    try {
      action();
    } catch (const base::UsageError& error) {
      return error.one_line();
    }
    return std::string("no error");
  };
  EXPECT_EQ(error_of([] { schedule_named("cosin"); }),
            "unknown schedule \"cosin\"; did you mean 'cosine'? (one of linear, cosine, constant, "
            "constant_with_warmup, cosine_with_min_lr)");
  EXPECT_EQ(error_of([] { Schedule({.learning_rate = -1}, 10); }),
            "learning_rate is -1, but must be 0 or more");
  EXPECT_EQ(error_of([] { Schedule({.warmup_steps = -2}, 10); }),
            "warmup_steps is -2, but must be 0 or more");
  EXPECT_EQ(error_of([] { Schedule({.kind = ScheduleKind::kCosineWithMinLr}, 10); }),
            "lr_scheduler_type: cosine_with_min_lr needs min_lr or min_lr_rate");
  EXPECT_EQ(error_of([] { Schedule({.learning_rate = 1e-4, .min_lr = 1e-3}, 10); }),
            "min_lr is 10 of the learning rate, but must lie between 0 and 1");
  EXPECT_EQ(error_of([] { Schedule({.warmup_ratio = 1.5}, 10); }),
            "warmup_ratio is 1.5, but must lie between 0 and 1");
}

}  // namespace
}  // namespace cuset::train
