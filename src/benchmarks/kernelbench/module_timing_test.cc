#include "benchmarks/kernelbench/module_timing.h"

#include <gtest/gtest.h>

#include "base/files/file.h"

namespace cuset::benchmarks {
namespace {

ModuleJudgeSettings ten_runs() {
  ModuleJudgeSettings settings;
  settings.timed_runs = 10;
  settings.warm_ups = 2;
  return settings;
}

// Ten calls of 1,000 us by the events and 1,050 us by the clock, twelve launches of 900 us.
ModuleTimes honest() {
  ModuleTimes times;
  times.event_us.assign(10, 1000);
  times.wall_us.assign(10, 1050);
  execute::KernelLaunches kernel;
  kernel.name = "relu_kernel";
  kernel.launches = 12;
  kernel.total_ms = 12 * 0.9;
  times.run.kernels = {kernel};
  return times;
}

std::string doubt_of(const ModuleTimes& times) {
  return find_dishonest_timing(times, {"relu_kernel"}, ten_runs(), true);
}

TEST(ModuleTimes, HonestOnesAreNotDoubted) { EXPECT_EQ(doubt_of(honest()), ""); }

TEST(ModuleTimes, TheClockMustAgreeWithTheEvents) {
  ModuleTimes times = honest();
  times.wall_us.assign(10, 2000);
  EXPECT_EQ(doubt_of(times), "its calls took 2000.0 us by the clock and 1000.0 us by the device's events");
  times.event_us.assign(10, 0);
  EXPECT_EQ(doubt_of(times), "its events say that no time passed");
}

TEST(ModuleTimes, TheRecordedKernelsMustFitIntoTheCalls) {
  ModuleTimes times = honest();
  times.run.kernels[0].total_ms = 12 * 2.0;
  EXPECT_EQ(doubt_of(times), "its kernels took 20000 us, its events say 10000 us");
  times.run.kernels[0].launches = 9;
  EXPECT_EQ(doubt_of(times), "it was called more often than its kernels were launched");
  EXPECT_EQ(find_dishonest_timing(times, {}, ten_runs(), false), "");
}

TEST(ModuleTimes, TheSpeedupIsThatOfTheMedians) {
  ModuleTimes reference = honest();
  reference.event_us.assign(10, 3000);
  const judge::Timing timing = timing_of(honest(), reference);
  EXPECT_EQ(timing.median_us, 1000);
  EXPECT_EQ(timing.reference_us, 3000);
  EXPECT_EQ(timing.speedup, 3);
  EXPECT_EQ(timing.runs, 10u);
}

TEST(ModuleTensor, IsReadAsDescribedOrNotAtAll) {
  const base::TemporaryFolder folder;
  base::write_file_atomic(folder / "t.bin", std::string(24, '\1'));
  const auto read = [&](const char* description) {
    return read_tensor(folder.path(), "t.bin", base::parse_json(description, "test"));
  };
  const auto tensor = read(R"({"dtype": "float32", "shape": [2, 3]})");
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->shape, (tasks::Shape{2, 3}));
  EXPECT_EQ(tensor->type, tasks::NumberType::kFloat32);
  for (const char* bad : {R"({"dtype": "float32", "shape": [2, 2]})", R"({"dtype": "float32", "shape": [7]})",
                          R"({"dtype": "complex64", "shape": [3]})", R"({"dtype": "float32", "shape": [-6]})",
                          R"({"dtype": "float32", "shape": [6.0]})", R"({"dtype": "float32", "shape": 6})",
                          R"({"dtype": 3, "shape": [6]})",
                          R"({"dtype": "float32", "shape": [18446744073709551615, 18446744073709551615]})",
                          R"({"dtype": "uint8", "shape": [4294967296, 4294967296]})",
                          R"({"dtype": "float32"})", "[]", "null", "7"})
    EXPECT_FALSE(read(bad)) << bad;
}

TEST(ModuleTolerance, IsThatOfKernelBench) {
  EXPECT_EQ(module_tolerance(tasks::NumberType::kFloat32).absolute, 1e-4);
  EXPECT_EQ(module_tolerance(tasks::NumberType::kFloat32).relative, 1e-4);
  EXPECT_EQ(module_tolerance(tasks::NumberType::kFloat16).absolute, 1e-2);
  EXPECT_EQ(module_tolerance(tasks::NumberType::kBfloat16).relative, 1e-2);
}

}  // namespace
}  // namespace cuset::benchmarks
