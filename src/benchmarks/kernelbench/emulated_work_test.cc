#include "benchmarks/kernelbench/emulated_work.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/unordered_digest.h"

namespace cuset::benchmarks {
namespace {

using execute::DeviceActivity;
using Kind = DeviceActivity::Kind;

constexpr uint64_t kInputBytes = 1 << 20;

tasks::Array numbers(float factor) {
  tasks::Array array{tasks::NumberType::kFloat32, {1000}, std::vector<std::byte>(4000)};
  for (uint64_t i = 0; i < 1000; ++i) {
    const float value = factor * static_cast<float>(i * i % 997);
    std::memcpy(array.bytes.data() + 4 * i, &value, sizeof value);
  }
  return array;
}

DeviceActivity brought(const tasks::Array& output) {
  DeviceActivity activity{Kind::kHostCopy, 0, 0, ""};
  activity.digest = base::placed_digest(output.bytes.data(), output.count(), 4);
  return activity;
}

DeviceActivity copy(const char* kind, uint64_t bytes) {
  DeviceActivity activity{Kind::kCopy, 0, 1, kind};
  activity.bytes = bytes;
  return activity;
}

DeviceActivity result(const tasks::Array& output, bool is_given) {
  DeviceActivity activity{Kind::kResult, 0, 0, "at::native::gelu"};
  activity.digest = base::unordered_digest(output.bytes.data(), output.count(), 4);
  activity.is_given = is_given;
  return activity;
}

DeviceActivity own_kernel() { return {Kind::kKernel, 0, 10, "own"}; }

struct Trials {
  std::vector<ModuleCall> calls = std::vector<ModuleCall>(3);
  std::vector<tasks::Array> outputs{numbers(1), numbers(2), numbers(3)};

  Trials() {
    for (size_t i = 0; i < calls.size(); ++i)
      calls[i].keeping = {copy("DtoH", outputs[i].bytes.size()), brought(outputs[i])};
  }
  std::vector<EmulatedCall> all() const {
    std::vector<EmulatedCall> all;
    for (size_t i = 0; i < calls.size(); ++i) all.push_back({calls[i], {outputs[i]}});
    return all;
  }
  std::string host_fault() const {
    const auto fault = find_host_results(all(), kInputBytes);
    return fault ? std::string(judge::name_of(fault->outcome)) + ": " + fault->explanation : "";
  }
  std::string library_fault() const {
    const auto fault = find_library_results(all(), {}, {"own"});
    return fault ? fault->explanation : "";
  }
};

TEST(EmulatedWork, OutputsComeFromTheDevice) {
  Trials trials;
  EXPECT_EQ(trials.host_fault(), "");
  trials.calls[1].keeping[1] = brought(numbers(7));
  EXPECT_EQ(trials.host_fault(), "host_work: its output 0 does not come from the device");
  trials.calls[1].inside = {brought(trials.outputs[1])};
  EXPECT_EQ(trials.host_fault(), "") << "brought by the call itself";
  std::reverse(trials.outputs[2].bytes.begin(), trials.outputs[2].bytes.end());
  EXPECT_NE(trials.host_fault(), "") << "in another order";
}

TEST(EmulatedWork, DataThatPassesTheHostIsCountedInEveryCall) {
  Trials trials;
  trials.calls[0].inside = {copy("DtoH", kInputBytes), copy("HtoD", kInputBytes)};
  EXPECT_EQ(trials.host_fault(), "") << "the first call may prepare what all use";
  trials.calls[2].inside = {copy("DtoH", kInputBytes)};
  EXPECT_EQ(trials.host_fault(), "host_work: its call 3 moves its data by the host");
  trials.calls[2].inside = {copy("DtoH", kInputBytes / 8)};
  trials.calls[2].outside = {copy("DtoH", kInputBytes / 8)};
  EXPECT_EQ(trials.host_fault(), "host_work: it brings data to the host between its calls");
  trials.calls[2].outside.clear();
  trials.calls[2].keeping.push_back(copy("HtoD", 4000));
  EXPECT_EQ(trials.host_fault(), "host_work: it brings data of the host to the device after its call");
}

TEST(EmulatedWork, OutputsMadeOfInputsByPyTorchAreNotTheKernels) {
  Trials trials;
  for (size_t i = 0; i < 3; ++i) trials.calls[i].inside = {own_kernel(), result(trials.outputs[i], true)};
  EXPECT_NE(trials.library_fault(), "");
  trials.calls[0].inside[1].is_given = false;
  EXPECT_EQ(trials.library_fault(), "") << "an own kernel's result went into one";
}

TEST(EmulatedWork, ResultsFromBeforeTheCallAreFound) {
  Trials trials;
  trials.calls[1].outside = {result(trials.outputs[1], false)};
  trials.calls[1].inside = {own_kernel()};
  EXPECT_EQ(trials.library_fault(), "its kernels copy what PyTorch computed: \"at::native::gelu\"");
}

}  // namespace
}  // namespace cuset::benchmarks
