#include "ops/device/backend.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>
#include <torch/types.h>

#include <cstdlib>
#include <filesystem>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/machine/machine_share.h"
#include "ops/device/cpu_threads.h"

namespace cuset::ops {
namespace {

TEST(TensorBackend, NamesLibTorchAndThreads) {
  const TensorBackend backend = describe_tensor_backend();
  EXPECT_GE(std::stoi(backend.libtorch_version), 2);
  EXPECT_EQ(backend.cpu_threads, at::get_num_threads());
  EXPECT_FALSE(backend.cpu_capability.empty());
}

// A machine all of whose processors were busy and idle for so many ticks of the clock.
void write_times(const std::filesystem::path& folder, int busy, int idle) {
  constexpr int kProcessors = 1024;
  std::string text;
  for (int i = 0; i < kProcessors; ++i)
    text += "cpu" + std::to_string(i) + " " + std::to_string(busy) + " 0 0 " + std::to_string(idle) +
            " 0 0 0 0\n";
  base::write_file_atomic(folder / "stat", text);
  std::filesystem::create_directories(folder / "self");
  base::write_file_atomic(folder / "self/stat", "7 (test) R 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0\n");
}

TEST(FreeCpuThreads, FollowWhatOtherProcessesLeave) {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) GTEST_SKIP() << "skipped: OMP_NUM_THREADS is set";
  const int before = at::get_num_threads();
  const base::TemporaryFolder folder;
  write_times(folder.path(), 0, 0);
  {
    FreeCpuThreads threads(0, {{folder.path(), "/nonexistent"}, std::chrono::milliseconds(0)});
    const int most = at::get_num_threads();
    write_times(folder.path(), 100, 0);
    threads.follow();
    EXPECT_EQ(at::get_num_threads(), 1);
    write_times(folder.path(), 100, 200);
    threads.follow();
    EXPECT_EQ(at::get_num_threads(), most);
    write_times(folder.path(), 200, 200);
    threads.follow();
  }
  EXPECT_EQ(at::get_num_threads(), std::min(before, static_cast<int>(base::usable_processors())));
}

TEST(FreeCpuThreads, ANamedNumberStays) {
  const int before = at::get_num_threads();
  const base::TemporaryFolder folder;
  write_times(folder.path(), 0, 0);
  FreeCpuThreads threads(2, {{folder.path(), "/nonexistent"}, std::chrono::milliseconds(0)});
  write_times(folder.path(), 100, 0);
  threads.follow();
  EXPECT_EQ(at::get_num_threads(), 2);
  at::set_num_threads(before);
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
    const base::TemporaryFolder folder;
    path = folder.path();
    std::filesystem::create_directories(path / "a" / "b");
    base::write_file_atomic(path / "a" / "b" / "file", "text");
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
}  // namespace cuset::ops
