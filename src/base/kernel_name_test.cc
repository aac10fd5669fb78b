#include "base/kernel_name.h"

#include <gtest/gtest.h>

namespace cuset::base {
namespace {

TEST(KernelName, IsWhatTheSourceSays) {
  EXPECT_EQ(kernel_name("_Z5saxpyifPKfPf"), "saxpy");
  EXPECT_EQ(kernel_name("_Z5scaleIfLi4EEvPT_"), "scale<float, 4>");
  EXPECT_EQ(kernel_name("_ZN4deep5inner6reduceIdEEvPKT_PS2_i"), "deep::inner::reduce<double>");
  EXPECT_EQ(kernel_name("_Z5applyIPFffEEvPfT_"), "apply<float (*)(float)>");
  EXPECT_EQ(kernel_name("_ZN12_GLOBAL__N_16hiddenEv"), "(anonymous namespace)::hidden");
  EXPECT_EQ(kernel_name("_Z6unusedv"), "unused");
}

TEST(KernelName, OfASignatureHasParameters) {
  EXPECT_EQ(kernel_signature("_Z5saxpyifPKfPf"), "saxpy(int, float, float const*, float*)");
  EXPECT_EQ(kernel_signature("_Z5scaleIfLi4EEvPT_"), "scale<float, 4>(float*)");
  EXPECT_EQ(kernel_signature("_Z5applyIPFffEEvPfT_"), "apply<float (*)(float)>(float*, float (*)(float))");
  EXPECT_EQ(kernel_signature("plain_c_kernel"), "plain_c_kernel");
}

TEST(KernelName, WhatIsNotMangledStays) {
  EXPECT_EQ(kernel_name("plain_c_kernel"), "plain_c_kernel");
  EXPECT_EQ(kernel_name("a"), "a");
  EXPECT_EQ(kernel_name(""), "");
  EXPECT_EQ(kernel_name("_Z"), "_Z");
  EXPECT_EQ(kernel_name(nullptr), "?");
}

}  // namespace
}  // namespace cuset::base
