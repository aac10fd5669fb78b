#include "benchmarks/kernelbench/python_kernels.h"

#include <gtest/gtest.h>

namespace cuset::benchmarks {
namespace {

const std::string kAnswer = R"PYTHON("""A docstring with __global__ void none() { x; }."""
source = """
template <typename T> __global__ void relu(const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { y[i] = x[i] > 0 ? x[i] : T(0); }
}
void launch(float* x) { relu<<<1, 256>>>(x, x, 3); }
"""
more = ("__global__ void add(float* x) {"
        "  x[0] += 1;"
        "}")
)PYTHON";

TEST(PythonKernels, AreNamed) {
  EXPECT_EQ(kernels_in_python(kAnswer), (std::vector<std::string>{"relu", "add"}));
}

TEST(PythonKernels, TritonsAreNamedToo) {
  EXPECT_EQ(
      kernels_in_python("import triton\n@triton.autotune(configs=[], key=[])\n@triton.jit\ndef scale (x,\n"
                        "    y):\n    pass\ndef plain(x): pass\nclass A:\n    @triton.jit(debug=True)\n"
                        "    def inner(x): pass\n@triton.jitter\ndef no(x): pass\n"),
      (std::vector<std::string>{"scale", "inner"}));
  EXPECT_TRUE(kernels_in_python("from numba import jit\n@jit\ndef f(x): pass\n").empty());
}

TEST(PythonKernels, PackagesForGpusAloneAreNamed) {
  EXPECT_EQ(find_gpu_only_construct("import torch\n  import triton.language as tl\n"), "triton");
  EXPECT_EQ(find_gpu_only_construct("from numba import cuda\n"), "numba");
  EXPECT_EQ(find_gpu_only_construct("import torch\nfrom tritonless import x\n# import cupy\n"), "");
}

TEST(PythonKernels, CanBeEmptied) {
  const std::string noop = *without_kernels_in_python(kAnswer);
  EXPECT_EQ(noop.size(), kAnswer.size());
  EXPECT_EQ(noop.find("blockIdx"), std::string::npos) << noop;
  EXPECT_EQ(noop.find("+= 1"), std::string::npos) << noop;
  EXPECT_NE(noop.find("relu<<<1, 256>>>(x, x, 3);"), std::string::npos) << noop;
  EXPECT_NE(noop.find("        \"            \"\n"), std::string::npos) << "quotes stay: " << noop;
  EXPECT_EQ(kernels_in_python(noop), kernels_in_python(kAnswer));
  EXPECT_FALSE(without_kernels_in_python("import torch\n"));
}

}  // namespace
}  // namespace cuset::benchmarks
