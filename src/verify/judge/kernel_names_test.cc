#include "verify/judge/kernel_names.h"

#include <gtest/gtest.h>

namespace cuset {
namespace {

TEST(KernelNames, OnlyTheNameItselfIsLeft) {
  const std::pair<const char*, const char*> cases[] = {
      {"saxpy", "saxpy"},
      {"saxpy(int, float, float const*, float*)", "saxpy"},
      {"void reduce<float, 256>(float const*, int)", "reduce"},
      {"void (anonymous namespace)::reduce<float>(float const*)", "reduce"},
      {"void a::b::map<a::Add<int> >(int*)", "map"},
      {"void apply<void (*)(int)>(int)", "apply"},
      {"", ""},
      {"<<((", ""},
  };
  for (const auto& [kernel, name] : cases) EXPECT_EQ(unqualified_name(kernel), name) << kernel;
}

TEST(KernelNames, AFailedLaunchProvesNothing) {
  Run run;
  run.kernels.push_back(
      {.name = "k(int)", .grid = {1, 1, 1}, .block = {1, 1, 1}, .launches = 2, .failed = 2});
  EXPECT_FALSE(launched_own_kernel(run, {"k"}));
  run.kernels[0].launches = 3;
  EXPECT_TRUE(launched_own_kernel(run, {"k"}));
  EXPECT_FALSE(launched_own_kernel(run, {"other"}));
}

}  // namespace
}  // namespace cuset
