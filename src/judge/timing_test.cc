#include "judge/timing.h"

#include <gtest/gtest.h>

namespace cuset::judge {
namespace {

// The ranks are those of the usual tables of the sign test (n = 10: the 2nd and 9th value; n = 20: the 6th
// and 15th).
TEST(MedianInterval, OrderStatisticsBoundTheMedian) {
  std::vector<double> values;
  for (int i = 10; i >= 1; --i) values.push_back(i);
  const MedianInterval ten = median_interval(values);
  EXPECT_EQ(ten.median, 5.5);
  EXPECT_EQ(ten.low, 2);
  EXPECT_EQ(ten.high, 9);
  for (int i = 11; i <= 20; ++i) values.push_back(i);
  const MedianInterval twenty = median_interval(values);
  EXPECT_EQ(twenty.low, 6);
  EXPECT_EQ(twenty.high, 15);
}

TEST(MedianInterval, FewValuesGiveTheirWholeRange) {
  const std::vector<double> values = {3, 1, 2};
  const MedianInterval three = median_interval(values);
  EXPECT_EQ(three.median, 2);
  EXPECT_EQ(three.low, 1);
  EXPECT_EQ(three.high, 3);
}

TEST(TimingRounds, ThoseThatDoNotCountAreMadeUpForWithinLimits) {
  const auto made = [](int wanted, const std::function<RoundEnd(int)>& end_of) {
    int rounds = 0;
    repeat_rounds(wanted, [&](int round) {
      EXPECT_EQ(round, rounds++);
      return end_of(round);
    });
    return rounds;
  };
  EXPECT_EQ(made(10, [](int) { return RoundEnd::kCounts; }), 10);
  EXPECT_EQ(made(10, [](int round) { return round < 2 ? RoundEnd::kDoesNotCount : RoundEnd::kCounts; }), 12);
  EXPECT_EQ(made(10, [](int) { return RoundEnd::kDoesNotCount; }), 16);
  EXPECT_EQ(made(10, [](int round) { return round == 3 ? RoundEnd::kIsLast : RoundEnd::kCounts; }), 4);
}

TEST(TimeFloor, DataPassesThroughMemoryOnce) {
  tasks::Task task;
  task.inputs = {{"x", tasks::NumberType::kFloat32, {1000, 1000}, {}}};
  task.outputs = {{"y", tasks::NumberType::kFloat32, {1000, 1000}, {}}};
  EXPECT_DOUBLE_EQ(floor_us(task, {.memory_bandwidth = 4'000'000'000'000}), 2.0);
  EXPECT_EQ(floor_us(task, {}), 0);
}

}  // namespace
}  // namespace cuset::judge
