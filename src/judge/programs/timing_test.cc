#include "judge/programs/timing.h"

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

tasks::Task product(const tasks::Shape& a, const tasks::Shape& b, const tasks::Shape& c) {
  tasks::Task task;
  task.oracle.native = "matmul";
  task.inputs = {{"a", tasks::NumberType::kFloat32, a, {}}, {"b", tasks::NumberType::kFloat32, b, {}}};
  task.outputs = {{"c", tasks::NumberType::kFloat32, c, {}}};
  return task;
}

TEST(TimeFloor, ProductsOfDenseMatricesNeedTheirOperations) {
  EXPECT_EQ(operations_of(product({30, 50}, {50, 70}, {30, 70})), 2.0 * 30 * 50 * 70);
  EXPECT_EQ(operations_of(product({50, 30}, {70, 50}, {30, 70})), 2.0 * 30 * 50 * 70) << "transposed";
  EXPECT_EQ(operations_of(product({4, 30, 50}, {4, 50, 70}, {4, 30, 70})), 4 * 2.0 * 30 * 50 * 70);
  EXPECT_EQ(operations_of(product({30, 50}, {4, 50, 70}, {4, 30, 70})), 0) << "one matrix for all";
  EXPECT_EQ(operations_of(product({50}, {50, 70}, {70})), 0);
  tasks::Task constant = product({30, 50}, {50, 70}, {30, 70});
  constant.inputs[1].domain.kind = tasks::Domain::Kind::kConstant;
  EXPECT_EQ(operations_of(constant), 0);
  constant.oracle.native = "map";
  EXPECT_EQ(operations_of(constant), 0);
}

TEST(TimeFloor, OperationsAreMadeAtThePeakOfTheFastestUnit) {
  base::GpuInfo h200;
  h200.compute_major = 9;
  h200.multiprocessors = 132;
  h200.clock_hertz = 1'980'000'000;
  tasks::Task task = product({8192, 8192}, {8192, 8192}, {8192, 8192});
  EXPECT_NEAR(operations_floor_us(task, h200), 1027, 1) << "1070 tera operations in a second";
  task.inputs[0].type = tasks::NumberType::kFloat64;
  EXPECT_NEAR(operations_floor_us(task, h200), 8 * 1027, 8);
  EXPECT_EQ(operations_floor_us(task, {}), 0);
}

}  // namespace
}  // namespace cuset::judge
