#include "benchmarks/kernelbench/module_timing.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/files/file.h"

namespace cuset::benchmarks {
namespace {

using execute::DeviceActivity;
using Kind = DeviceActivity::Kind;

constexpr size_t kCalls = 12;  // two of them warm-ups

DeviceActivity kernel(const std::string& name, uint64_t us) {
  return {Kind::kKernel, 5000, 5000 + 1000 * us, name, 0, 7, 0, 32};
}

ModuleJudgeSettings on_gpu() {
  ModuleJudgeSettings settings;
  settings.gpu.emplace();
  settings.gpu->recorder.name = "cupti";
  settings.gpu->device.memory_bandwidth = 4'000'000'000'000;
  settings.gpu->device.cache_bytes = 60 << 20;
  return settings;
}

// Calls of one kernel of 900 us, 1,000 us by our clock and 950 us by the process's own events.
ModuleTimes calls_of(const std::string& name) {
  ModuleTimes times;
  for (size_t i = 0; i < kCalls; ++i) {
    ModuleCall call;
    call.wall_us = 1000;
    call.event_us = 950;
    call.between_us = 3000;
    call.inside = {kernel(name, 900)};
    times.calls.push_back(call);
    times.between.push_back({kernel("at::native::random", 20)});
    if (i >= 2) times.counted.push_back(i);
  }
  return times;
}

ReferenceTimes reference() {
  ReferenceTimes times;
  times.eager = calls_of("at::native::relu");
  times.overhead_us = 100;
  return times;
}

std::string doubt_of(const ModuleTimes& times, uint64_t bytes = 1 << 20) {
  static const ModuleJudgeSettings settings = on_gpu();

  return find_dishonest_timing(times, reference(), {settings, {"relu_kernel"}, true, bytes});
}

void change(ModuleTimes& times, const std::function<void(ModuleCall&)>& work) {
  for (ModuleCall& call : times.calls) work(call);
}

TEST(ModuleTimes, HonestOnesAreNotDoubted) { EXPECT_EQ(doubt_of(calls_of("relu_kernel")), ""); }

TEST(ModuleTimes, ATimeIsNeverLessThanOurClockSays) {
  ModuleTimes times = calls_of("relu_kernel");
  const auto all = [&](double us) { return std::vector<double>(times.counted.size(), us); };
  EXPECT_EQ(honest_times(times, 100), all(900)) << "the device's own time, where the clocks agree";
  change(times, [](ModuleCall& call) { call.inside = {kernel("relu_kernel", 1)}; });
  EXPECT_EQ(honest_times(times, 100), all(800)) << "a forged record gains no more than the slack";
  change(times, [](ModuleCall& call) { call.inside.clear(); });
  EXPECT_EQ(honest_times(times, 100), all(1000)) << "without a record, the clock";
}

TEST(ModuleTimes, CallsThatTheMachineDelaysAreNotHeldAgainstTheAnswer) {
  ModuleTimes times = calls_of("relu_kernel");
  for (size_t i = 0; i + 3 < times.calls.size(); ++i) times.calls[i].wall_us = 5000;
  EXPECT_EQ(honest_times(times, 100), std::vector<double>(times.counted.size(), 900));
}

TEST(ModuleTimes, TheDeviceIsNotBusyForLongerThanTheCall) {
  ModuleTimes times = calls_of("relu_kernel");
  change(times, [](ModuleCall& call) { call.wall_us = 500; });
  EXPECT_EQ(doubt_of(times), "the device was busy for 900.0 us in a call of 500.0 us");
}

TEST(ModuleTimes, EveryCallLaunchesAKernelOfTheAnswer) {
  ModuleTimes times = calls_of("relu_kernel");
  times.calls[7].inside = {kernel("at::native::relu", 900)};
  EXPECT_EQ(doubt_of(times), "it was called more often than its kernels were launched");
}

TEST(ModuleTimes, WorkBetweenTheCallsIsFound) {
  ModuleTimes times = calls_of("relu_kernel");
  times.between[0].push_back(kernel("relu_kernel", 5));
  EXPECT_EQ(doubt_of(times), "") << "where the model is made";
  times.between[5].push_back(kernel("relu_kernel", 5));
  EXPECT_EQ(doubt_of(times), "it works between its calls, where no clock runs: \"relu_kernel\"");
}

TEST(ModuleTimes, TimeBetweenTheCallsIsLimitedWhateverTheRecordShows) {
  ModuleTimes times = calls_of("relu_kernel");
  change(times, [](ModuleCall& call) { call.between_us = 4000; });
  EXPECT_FALSE(lingers_between_calls(times, reference()));
  change(times, [](ModuleCall& call) { call.between_us = 4100; });
  EXPECT_TRUE(lingers_between_calls(times, reference()));
  EXPECT_EQ(doubt_of(times), "") << "a busy machine is no guilt";
}

TEST(ModuleTimes, WorkThatTheCallersStreamDoesNotWaitForIsFound) {
  ModuleTimes times = calls_of("relu_kernel");
  change(times, [](ModuleCall& call) { call.event_us = 5; });
  EXPECT_EQ(doubt_of(times), "its caller's stream waits for 5.0 us of the 900.0 us that the device works");
}

TEST(ModuleTimes, CacheThatIsSetAsideIsFound) {
  ModuleTimes times = calls_of("relu_kernel");
  times.between[0].push_back({Kind::kNote, 0, 0, "persisting_l2", 0, 0, 0, 0});
  EXPECT_EQ(doubt_of(times), "it sets cache aside that outlasts what empties the cache");
}

TEST(ModuleTimes, NothingIsFasterThanMemory) {
  const uint64_t bytes = 4ull << 30;
  EXPECT_NE(doubt_of(calls_of("relu_kernel"), bytes).find("less than its data needs to pass through memory"),
            std::string::npos);
  EXPECT_EQ(doubt_of(calls_of("relu_kernel"), 3ull << 30), "");
}

TEST(ModuleTimes, TheSpeedupIsThatOfTheMedians) {
  ReferenceTimes slow = reference();
  change(slow.eager, [](ModuleCall& call) { call.inside = {kernel("at::native::relu", 2700)}; });
  const ModuleJudgeSettings settings = on_gpu();
  const judge::Timing timing = timing_of(calls_of("relu_kernel"), slow, {settings, {}, true, 1 << 20});
  EXPECT_EQ(timing.median_us, 900);
  EXPECT_EQ(timing.reference_us, 2700);
  EXPECT_EQ(timing.speedup, 3);
  EXPECT_EQ(timing.runs, 10u);
}

// Four sums with random signs, the sums of magnitudes and of squares, two elements.
TEST(ModuleDigest, AgreesAsFarAsTheToleranceOfTheElementsGoes) {
  const std::vector<double> wanted{10, -20, 30, -40, 1000, 2000, 1.5, -0.5};
  const tasks::Tolerance tolerance{1e-3, 0};
  const auto agree = [&](size_t at, double off) {
    std::vector<double> got = wanted;
    got[at] += off;
    return digests_agree(got, wanted, 10'000, tolerance);
  };
  EXPECT_TRUE(agree(0, 0));
  EXPECT_TRUE(agree(0, 0.5)) << "six deviations are 0.9";
  EXPECT_FALSE(agree(0, 1));
  EXPECT_FALSE(agree(3, -1));
  EXPECT_TRUE(agree(6, 1e-3));
  EXPECT_FALSE(agree(6, 2e-3));
  EXPECT_FALSE(digests_agree({}, wanted, 10'000, tolerance));
  EXPECT_FALSE(digests_agree({}, {}, 0, tolerance));
  EXPECT_FALSE(agree(1, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(agree(7, std::numeric_limits<double>::infinity()));
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
