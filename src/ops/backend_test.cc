#include "ops/backend.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>
#include <torch/types.h>

#include <filesystem>

#include "base/file.h"
#include "base/temporary_folder.h"

namespace cuset {
namespace {

TEST(TensorBackend, NamesLibTorchAndThreads) {
  const TensorBackend backend = describe_tensor_backend();
  EXPECT_GE(std::stoi(backend.libtorch_version), 2);
  EXPECT_EQ(backend.cpu_threads, at::get_num_threads());
  EXPECT_FALSE(backend.cpu_capability.empty());
}

TEST(TensorBackend, KernelsAreUsableOnlyWithAGpu) {
  const TensorBackend backend = describe_tensor_backend();
  EXPECT_EQ(gpu_kernels_usable(), !backend.gpus.empty() && !backend.kernel_cuda_version.empty());
  EXPECT_EQ(backend.kernel_cuda_version.empty(), backend.kernel_architectures.empty());
}

// LibTorch's CUDA wheels export a std::filesystem::remove_all that crashes; ours must not depend on it.
TEST(TensorBackend, TemporaryFoldersGoAwayBesideLibTorch) {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    std::filesystem::create_directories(path / "a" / "b");
    write_file_atomic(path / "a" / "b" / "file", "text");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

// Ended with an illegal instruction where tiles are missing; tests/test_main.cc takes care of it.
TEST(TensorBackend, BFloat16ProductsAreComputed) {
  const auto a = torch::full({256, 256}, 0.5, torch::kBFloat16);
  const auto product = torch::mm(a, a).to(torch::kFloat32);
  EXPECT_TRUE(product.eq(64).all().item<bool>());
}

TEST(TensorBackendGpu, DescribesTheGpu) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "skipped: no GPU";
  const TensorBackend backend = describe_tensor_backend();
  ASSERT_FALSE(backend.gpus.empty());
  EXPECT_FALSE(backend.libtorch_cuda_version.empty());
  EXPECT_GT(backend.gpus[0].memory_bytes, 1u << 30);
  EXPECT_GT(backend.gpus[0].multiprocessors, 0);
}

}  // namespace
}  // namespace cuset
