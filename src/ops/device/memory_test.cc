#include "ops/device/memory.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

namespace cuset::ops {
namespace {

// Of what `work` throws.
template <typename Work>
bool lacks_memory(Work work) {
  try {
    work();
  } catch (const std::exception& error) {
    return is_lack_of_memory(error);
  }
  ADD_FAILURE() << "nothing was thrown";
  return false;
}

TEST(LackOfMemory, IsSeenInATensorThatNoMachineHolds) {
  EXPECT_TRUE(lacks_memory([] { return torch::empty({int64_t{1} << 55}, torch::kFloat32); }));
}

TEST(LackOfMemory, IsSeenInAVectorThatNoMachineHolds) {
  EXPECT_TRUE(lacks_memory([] {
    const std::vector<char> vector(std::numeric_limits<int64_t>::max() / 2);
    // Clang leaves out an allocation that nobody looks at.
    const volatile char* address = vector.data();
    return *address;
  }));
}

TEST(LackOfMemory, IsSeenInWhatAGpuSays) {
  EXPECT_TRUE(lacks_memory(
      [] { TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory. Tried to allocate 2.00 GiB."); }));
  for (const char* words : {"CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported",
                            "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
                            "cuDNN error: CUDNN_STATUS_ALLOC_FAILED"}) {
    EXPECT_TRUE(lacks_memory([&] { TORCH_CHECK(false, words); })) << words;
  }
}

TEST(LackOfMemory, IsNotSeenInOtherFailures) {
  EXPECT_FALSE(lacks_memory([] { return torch::zeros({2, 3}).view({4}); }));
  EXPECT_FALSE(lacks_memory([] { TORCH_CHECK(false, "CUDA error: an illegal memory access"); }));
  // The message alone is not a sign: a file may be called so.
  EXPECT_FALSE(lacks_memory([] { throw std::runtime_error("no file 'not enough memory'"); }));
}

TEST(LackOfMemory, SaysWhatToLower) {
  EXPECT_EQ(lack_of_memory("lower --batch-size").one_line(),
            "the device is out of memory (lower --batch-size)");
}

}  // namespace
}  // namespace cuset::ops
