#include "report/training_curves.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/test_folder.h"

namespace cuset::report {
namespace {

TEST(TrainingCurves, EveryNumberIsACurve) {
  const support::TestFolder folder;
  const base::Json training =
      read_training_curves(folder.write("metrics.jsonl",
                                        "{\"step\":1,\"epoch\":0.5,\"loss\":2.5,\"note\":\"text\"}\n"
                                        "{\"step\":1,\"epoch\":0.5,\"eval_loss\":2}\n"
                                        "{\"step\":2,\"epoch\":1,\"loss\":1.23456789}\n"));
  EXPECT_EQ(training["curves"].size(), 2u);
  EXPECT_EQ(training["curves"]["loss"], (base::Json{{"x", {1, 2}}, {"y", {2.5, 1.2346}}}));
  EXPECT_EQ(training["curves"]["eval_loss"], (base::Json{{"x", {1}}, {"y", {2}}}));
  EXPECT_TRUE(training["windows"].empty());
}

TEST(TrainingCurves, LongOnesAreThinnedByMeans) {
  const support::TestFolder folder;
  std::string lines;
  for (size_t step = 1; step <= 4 * kMostPoints; ++step) {
    lines += fmt::format("{{\"step\":{},\"loss\":{}}}\n", step, step % 2 == 0 ? 1 : 3);
  }
  const base::Json loss = read_training_curves(folder.write("metrics.jsonl", lines))["curves"]["loss"];
  ASSERT_EQ(loss["y"].size(), kMostPoints);
  EXPECT_EQ(loss["x"][0], 2.5);
  for (const base::Json& value : loss["y"]) EXPECT_EQ(value, 2);
}

TEST(TrainingCurves, AFewWindowsAreKept) {
  const support::TestFolder folder;
  std::string lines;
  for (int step = 1; step <= 60; ++step) {
    lines +=
        fmt::format("{{\"step\":{},\"lowest_window\":{{\"confidence\":0.5,\"text\":\"int i\"}}}}\n", step);
  }
  const base::Json windows = read_training_curves(folder.write("metrics.jsonl", lines))["windows"];
  ASSERT_EQ(windows.size(), kMostWindows);
  EXPECT_EQ(windows[0]["step"], 10);
  EXPECT_EQ(windows[5]["step"], 60);
  EXPECT_EQ(windows[5]["text"], "int i");
}

TEST(TrainingCurves, AnUnfinishedLineIsPassedOverABadOneIsNot) {
  const support::TestFolder folder;
  const auto torn = folder.write("metrics.jsonl", "{\"step\":1,\"loss\":2}\n{\"step\":2,\"lo");
  EXPECT_EQ(read_training_curves(torn)["curves"]["loss"]["x"].size(), 1u);
  EXPECT_THROW(read_training_curves(folder.write("bad.jsonl", "{\"loss\":2}\n")), base::Error);
  EXPECT_THROW(read_training_curves(folder.write("bad.jsonl", "[1]\n")), base::Error);
}

}  // namespace
}  // namespace cuset::report
