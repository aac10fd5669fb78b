#include "benchmarks/kernelbench/module_work.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cuset::benchmarks {
namespace {

using execute::DeviceActivity;
using Kind = DeviceActivity::Kind;

constexpr const char* kRelu = "at::native::vectorized_elementwise_kernel<4, at::native::relu_kernel_cuda>";
constexpr const char* kClamp = "at::native::vectorized_elementwise_kernel<4, at::native::clamp_min>";
constexpr const char* kCopyKernel =
    "at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda>";
constexpr const char* kProduct = "ampere_sgemm_128x64_nn";

// As many threads as microseconds, unless given.
DeviceActivity kernel(const std::string& name, uint64_t us, uint64_t threads = 0) {
  DeviceActivity activity{Kind::kKernel, 1000, 1000 + 1000 * us, name, 0, 7, 0, 32};
  std::fill_n(activity.grid, 3, 1);
  std::fill_n(activity.block, 3, 1);
  activity.grid[0] = static_cast<uint32_t>(threads == 0 ? us : threads);
  return activity;
}

DeviceActivity copy_to_device(uint64_t bytes) { return {Kind::kCopy, 0, 10, "HtoD", bytes, 7, 0, 0}; }

DeviceActivity copy_to_host(uint64_t bytes) { return {Kind::kCopy, 0, 10, "DtoH", bytes, 7, 0, 0}; }

// The verdict on an answer that does `call` on every input, beside a reference that does `reference`.
std::string verdict_on(const ActivityList& call, const ActivityList& reference) {
  const auto fault = find_unproven_work({call, call}, {reference, reference}, {"own"}, 1 << 20);
  return fault ? std::string(judge::name_of(fault->outcome)) : "proven";
}

TEST(ModuleWork, OwnKernelsThatReplaceTheReferencesAreProof) {
  EXPECT_EQ(verdict_on({kernel("own<float>", 100)}, {kernel(kRelu, 90)}), "proven");
  EXPECT_EQ(
      verdict_on({kernel(kCopyKernel, 300), kernel("(anonymous namespace)::own", 100)}, {kernel(kRelu, 90)}),
      "proven")
      << "making an input contiguous is not work";
  EXPECT_EQ(verdict_on({kernel(kProduct, 900), kernel("own", 20)},
                       {kernel(kProduct, 900), kernel(kRelu, 20), kernel(kClamp, 20)}),
            "proven")
      << "a library's product with steps of its own after it";
  EXPECT_EQ(verdict_on({kernel("own", 80), kernel("at::native::reduce_kernel<512>", 3)},
                       {kernel("at::native::reduce_kernel<512>", 90)}),
            "proven")
      << "PyTorch adds up the few partial sums";
}

TEST(ModuleWork, PyTorchsWorkThatAKernelCopiesIsNoProof) {
  EXPECT_EQ(verdict_on({kernel(kRelu, 90), kernel("own", 90)}, {kernel(kRelu, 90)}), "no_kernel");
  EXPECT_EQ(verdict_on({kernel(kClamp, 90), kernel("own", 400)}, {kernel(kRelu, 90)}), "no_kernel")
      << "by another function of PyTorch";
  EXPECT_EQ(verdict_on({kernel(kRelu, 45), kernel(kRelu, 45), kernel("own", 90)}, {kernel(kRelu, 90)}),
            "no_kernel")
      << "in two halves";
  EXPECT_EQ(verdict_on({kernel(kProduct, 900), kernel("own", 2)}, {kernel(kProduct, 900)}), "no_kernel");
  EXPECT_EQ(verdict_on({kernel(kClamp, 20), kernel("own", 30)}, {kernel(kProduct, 9000)}), "no_kernel")
      << "a faster way, but PyTorch's";
}

TEST(ModuleWork, AllOfTheReferencesKernelsAgainAreNoProofHoweverFast) {
  const ActivityList reference{kernel(kRelu, 900, 64), kernel(kClamp, 90, 8), kernel(kRelu, 90, 8)};
  EXPECT_EQ(verdict_on({kernel(kRelu, 9, 8), kernel(kClamp, 9, 8), kernel(kRelu, 9, 64), kernel("own", 900)},
                       reference),
            "no_kernel")
      << "in any order";
  EXPECT_EQ(verdict_on({kernel(kRelu, 9, 8), kernel(kClamp, 9, 8), kernel(kRelu, 9, 8), kernel("own", 900)},
                       reference),
            "proven")
      << "on a small part of the data";
  EXPECT_EQ(verdict_on({kernel(kRelu, 9, 64), kernel(kRelu, 9, 64), kernel(kRelu, 9, 64), kernel("own", 900)},
                       reference),
            "proven")
      << "not all of them";
}

TEST(ModuleWork, MostOfTheReferencesStepsAndTimeAreNotLeftToLibraries) {
  const ActivityList reference{kernel(kProduct, 40), kernel(kRelu, 20), kernel(kClamp, 20),
                               kernel(kClamp, 20)};
  const auto is_trifle = [&](const ActivityList& call, bool ends_with_library) {
    return find_trifling_work({call, call}, {reference}, {"own"}, {ends_with_library, ends_with_library})
        .has_value();
  };
  EXPECT_TRUE(is_trifle({kernel(kProduct, 40), kernel(kRelu, 20), kernel("own", 90)}, false));
  EXPECT_FALSE(is_trifle({kernel(kProduct, 90), kernel("own", 9)}, false))
      << "its kernels took three steps over";
  EXPECT_FALSE(is_trifle({kernel("own", 90), kernel(kRelu, 20), kernel(kClamp, 20)}, true))
      << "the cheap ones";
  EXPECT_TRUE(is_trifle({kernel("own", 9), kernel(kProduct, 90)}, true)) << "one operation for all steps";
}

TEST(ModuleWork, ResultsThatComeFromTheHostAreNoProof) {
  EXPECT_EQ(verdict_on({copy_to_device(1 << 20), kernel("own", 90)}, {kernel(kRelu, 90)}), "host_work");
  EXPECT_EQ(verdict_on({copy_to_device(4096), kernel("own", 90)}, {kernel(kRelu, 90)}), "proven")
      << "a small table";
}

TEST(ModuleWork, ANameOfALibraryIsNotTheAnswersOwn) {
  const auto fault = [](const std::string& name, const std::string& launched) {
    const ActivityList call{kernel(launched, 90)};
    return find_unproven_work({call}, {{kernel(kProduct, 90)}}, {name}, 1 << 20).has_value();
  };
  EXPECT_TRUE(fault("vectorized_elementwise_kernel", kRelu));
  EXPECT_TRUE(fault("ampere_sgemm_128x64_nn", kProduct)) << "the reference launches it too";
  EXPECT_TRUE(fault("triton_poi_fused_relu_0", "triton_poi_fused_relu_0")) << "torch.compile's";
  EXPECT_FALSE(fault("my_product", "my_product"));
  const ActivityList own{kernel("reduce_kernel<256>", 90)},
      torchs{kernel("at::native::reduce_kernel<512, 1>", 90)};
  EXPECT_FALSE(find_unproven_work({own}, {torchs}, {"reduce_kernel"}, 1 << 20)) << "a name that many choose";
  EXPECT_TRUE(find_unproven_work({torchs}, {torchs}, {"reduce_kernel"}, 1 << 20));
}

TEST(ModuleWork, EveryCallNeedsAKernelAndStaysOnTheDevice) {
  const ActivityList with{kernel("own", 90)}, reference{kernel(kRelu, 90)};
  EXPECT_TRUE(find_unproven_work({with, {}}, {reference}, {"own"}, 1 << 20));
  EXPECT_TRUE(find_unproven_work({}, {reference}, {"own"}, 1 << 20));
  EXPECT_EQ(verdict_on({copy_to_host(1 << 20), kernel("own", 90)}, reference), "host_work");
  EXPECT_EQ(verdict_on({copy_to_host(4), kernel("own", 90)}, reference), "proven") << "a number for the host";
}

TEST(ModuleWork, OneHonestCallDoesNotSpeakForTheOthers) {
  const ActivityList honest{kernel("own", 90)}, copied{kernel(kClamp, 90), kernel("own", 90)},
      again{kernel(kRelu, 90), kernel("own", 900)}, reference{kernel(kRelu, 90)};
  const auto is_fault = [&](const std::vector<ActivityList>& calls) {
    return find_unproven_work(calls, {reference}, {"own"}, 1 << 20).has_value();
  };
  EXPECT_FALSE(is_fault({honest, honest, honest}));
  EXPECT_TRUE(is_fault({honest, copied, copied}));
  EXPECT_TRUE(is_fault({honest, honest, again}));
}

TEST(ModuleWork, WhereTheReferenceOnlyMovesDataThatIsTheWork) {
  EXPECT_EQ(verdict_on({kernel(kCopyKernel, 90), kernel("own", 90)}, {kernel(kCopyKernel, 90)}), "no_kernel");
  EXPECT_EQ(verdict_on({kernel("own", 90)}, {kernel(kCopyKernel, 90)}), "proven");
}

TEST(ModuleWork, CallsAreMarkedByTheOracle) {
  const auto note = [](const char* word) { return DeviceActivity{Kind::kNote, 0, 0, word, 0, 0, 0, 0}; };
  const auto calls = marked_calls({kernel("a", 1), note("begin"), kernel("b", 1), note("end"), kernel("c", 1),
                                   note("begin"), note("end")});
  ASSERT_EQ(calls.size(), 2u);
  ASSERT_EQ(calls[0].size(), 1u);
  EXPECT_EQ(calls[0][0].name, "b");
  EXPECT_TRUE(calls[1].empty());
}

TEST(ModuleWork, BetweenCallsOnlyTheHarnessWorks) {
  const std::vector<ActivityList> reference{{kernel("at::native::random", 5), kernel("at::native::sum", 5)}};
  EXPECT_EQ(find_work_between_calls(reference, reference), "");
  EXPECT_EQ(find_work_between_calls({{kernel(kCopyKernel, 5)}}, reference), "");
  EXPECT_EQ(find_work_between_calls({{kernel("own", 5)}}, reference), "own");
  EXPECT_EQ(
      find_work_between_calls({{kernel("at::native::sum", 5), kernel("at::native::sum", 5)}}, reference),
      "at::native::sum");
}

}  // namespace
}  // namespace cuset::benchmarks
