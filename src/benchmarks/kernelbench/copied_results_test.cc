#include "benchmarks/kernelbench/copied_results.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/stats/random.h"

namespace cuset::benchmarks {
namespace {

using execute::DeviceActivity;
using Kind = DeviceActivity::Kind;
using Values = std::vector<double>;

constexpr const char* kRelu = "at::native::relu";
constexpr const char* kCopy = "at::native::copy_";

DeviceActivity own_kernel() { return {Kind::kKernel, 0, 10, "own"}; }

DeviceActivity digested(const char* name, uint64_t digest) {
  DeviceActivity activity{Kind::kResult, 0, 0, name};
  activity.digest = digest;
  return activity;
}

base::ValueSketch sketch(const Values& values) {
  return base::sketch_of(values.size(), [&](uint64_t i) { return values[i]; });
}

DeviceActivity result(const Values& values, const char* name = kRelu) {
  DeviceActivity activity{Kind::kResult, 0, 0, name};
  activity.sketch = sketch(values);
  return activity;
}

Values normal_values(uint64_t seed) {
  base::RandomStream stream(seed, "values");
  Values values(1000);
  for (double& value : values)
    value = std::sqrt(-2 * std::log(1e-9 + stream.next_u32() / 4294967296.0)) *
            std::cos(stream.next_u32() * 1e-6);
  return values;
}

Values mapped(Values values, const std::function<double(double)>& function) {
  for (double& value : values) value = function(value);
  return values;
}

// The name of the result that `output` is a form of.
std::string found(const ActivityList& call, const Values& output,
                  const std::vector<ActivityList>& reference = {}) {
  return find_disguised_result(call, OwnKernels({"own"}, {}), sketch(output), reference);
}

TEST(CopiedResults, AreRecognizedBehindOwnKernels) {
  const OwnKernels own({"own"}, {});
  const auto copied = [&](const ActivityList& call) { return find_copied_result(call, own, {7, 8}); };
  EXPECT_EQ(copied({digested(kRelu, 8), own_kernel()}), kRelu);
  EXPECT_EQ(copied({own_kernel(), digested(kRelu, 8)}), "") << "the last step is PyTorch's";
  EXPECT_EQ(copied({digested(kRelu, 9), own_kernel()}), "") << "an input of its kernel";
  EXPECT_EQ(copied({digested(kCopy, 8), own_kernel()}), "") << "PyTorch only copied";
  EXPECT_TRUE(ends_with_library({own_kernel(), digested(kRelu, 8)}, own, {7, 8}));
  EXPECT_FALSE(ends_with_library({digested(kRelu, 8), own_kernel()}, own, {7, 8}));
}

TEST(CopiedResults, AreRecognizedInOtherForms) {
  const Values values = normal_values(1);
  const ActivityList call{result(values), own_kernel()};
  EXPECT_EQ(found(call, mapped(values, [](double x) { return -3 * x + 7; })), kRelu);
  EXPECT_EQ(found(call, mapped(Values(values.rbegin(), values.rend()), [](double x) { return x / 1024; })),
            kRelu)
      << "in another order";
  EXPECT_EQ(found(call, mapped(values, [](double x) { return std::exp(x); })), kRelu);
  EXPECT_EQ(found(call, mapped(values, [](double x) { return -std::atan(x); })), kRelu);
  EXPECT_EQ(found({own_kernel(), result(values)}, values), "") << "no own kernel behind it";
  EXPECT_EQ(found({result(values, kCopy), own_kernel()}, values), "") << "PyTorch only copied";
}

TEST(CopiedResults, AreRecognizedInSums) {
  const Values a = normal_values(1), b = normal_values(2), c = normal_values(3);
  Values sum(a.size()), product(a.size());
  for (size_t i = 0; i < a.size(); ++i) sum[i] = a[i] - 2 * b[i], product[i] = a[i] * b[i];
  EXPECT_EQ(found({result(c), result(a), result(b), own_kernel()}, sum), kRelu);
  EXPECT_EQ(found({result(a), own_kernel()}, sum), "");
  EXPECT_EQ(found({result(a), result(b), own_kernel()}, product), "");
}

TEST(CopiedResults, WorkOnResultsIsNoCopy) {
  const Values values = normal_values(1);
  const ActivityList call{result(values), own_kernel()};
  EXPECT_EQ(found(call, mapped(values, [](double x) { return std::max(x, 0.0); })), "");
  EXPECT_EQ(found(call, mapped(values, [](double x) { return x / (1 + std::exp(-4 * x)); })), "") << "swish";
  Values biased = values;
  for (size_t i = 0; i < biased.size(); ++i) biased[i] += 0.1 * static_cast<double>(i % 7);
  EXPECT_EQ(found(call, biased), "") << "a bias of each channel";
  EXPECT_EQ(found(call, normal_values(2)), "");
  EXPECT_EQ(found(call, Values(values.begin(), values.end() - 1)), "") << "of another size";
  const Values few(values.begin(), values.begin() + 100);
  EXPECT_EQ(found({result(few), own_kernel()}, few), "") << "few numbers";
}

TEST(CopiedResults, StepsBehindOneOfTheReferencesAreWork) {
  const Values product = normal_values(1), output = mapped(product, [](double x) { return std::tanh(x); });
  const std::vector<ActivityList> reference{{result(product), result(output)}};
  EXPECT_EQ(found({result(product), own_kernel()}, output, reference), "");
  EXPECT_EQ(found({result(mapped(product, [](double x) { return 2 * x; })), own_kernel()}, output, reference),
            kRelu)
      << "no result of the reference's";
  EXPECT_EQ(found({result(product), result(output), own_kernel()}, output, reference), kRelu)
      << "the output itself";
}

TEST(CopiedResults, SketchesSurviveTheTimeline) {
  const DeviceActivity written = result(normal_values(5));
  DeviceActivity read;
  ASSERT_TRUE(execute::parse_activity("R 12 1 " + base::text_of(written.sketch) + " at::native::relu", read));
  EXPECT_EQ(read.digest, 12u);
  EXPECT_TRUE(read.is_given);
  EXPECT_EQ(read.name, kRelu);
  EXPECT_EQ(read.sketch.count, 1000u);
  EXPECT_NEAR(read.sketch.samples[7], written.sketch.samples[7], 1e-7);
  EXPECT_TRUE(execute::parse_activity("R 12 0 - at::native::relu", read));
  EXPECT_EQ(read.sketch.count, 0u);
  for (const char* line :
       {"R 12 0 1;2 at::native::relu", "R 12 0 1000 x", "R 12", "R 12 0 -", "R 12 2 - x", "H", "H 1 2"})
    EXPECT_FALSE(execute::parse_activity(line, read)) << line;
}

}  // namespace
}  // namespace cuset::benchmarks
