#include "execute/build/nvcc_options.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::execute {
namespace {

using Words = std::vector<std::string>;

TEST(NvccOptions, OurSettingsGetNvccsValues) {
  EXPECT_EQ(translate_nvcc_options({"-std=c++14", "-arch=compute_80", "-lcublas", "-x", "cu", "a.cu"}),
            (Words{"--std=c++14", "--arch=sm_80", "--library=cublas", "--language=cu", "a.cu"}));
  EXPECT_EQ(translate_nvcc_options({"--std", "gnu++17", "-I", "dir", "-D", "N=1", "-isystem=more"}),
            (Words{"--std=c++17", "--include=dir", "--define=N=1", "--include=more"}));
  EXPECT_EQ(translate_nvcc_options({"-rdc=true", "--relocatable-device-code", "false"}),
            (Words{"--rdc", "--no-rdc"}));
}

TEST(NvccOptions, WhatChangesTheLanguageOrTheArithmeticIsHandedOn) {
  EXPECT_EQ(translate_nvcc_options({"-expt-relaxed-constexpr", "--extended-lambda", "-fmad", "false"}),
            (Words{"--nvcc-flag=--expt-relaxed-constexpr", "--nvcc-flag=--extended-lambda",
                   "--nvcc-flag=--fmad=false"}));
}

TEST(NvccOptions, WhatMeansNothingHereIsLeftOut) {
  EXPECT_EQ(translate_nvcc_options({"-gencode", "arch=compute_80,code=sm_80", "-Xcompiler", "-Wall,-O2", "-o",
                                    "app", "-Wno-deprecated-gpu-targets", "-L/usr/lib", "-m64",
                                    "-arch=native", "a.cu"}),
            Words{"a.cu"});
}

TEST(NvccOptions, OurOwnFlagsStay) {
  const Words ours{"--executor", "cpu", "-O3",       "-DN=2", "-Iinclude",
                   "--output",   "out", "--include", "d",     "-v"};
  EXPECT_EQ(translate_nvcc_options(ours), ours);
}

TEST(NvccOptions, WhatMakesNoProgramIsRefused) {
  EXPECT_THROW(translate_nvcc_options({"-c", "a.cu"}), base::UsageError);
  EXPECT_THROW(translate_nvcc_options({"a.cu", "-Xcompiler"}), base::UsageError);
}

}  // namespace
}  // namespace cuset::execute
