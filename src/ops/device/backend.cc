#include "ops/device/backend.h"

#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/utils.h>
#include <torch/version.h>

#include "base/error.h"
#include "ops/device/cpu_threads.h"

#if CUSET_LIBTORCH_HAS_CUDA
#include <ATen/cuda/CUDAContextLight.h>
#endif

namespace cuset::ops {
namespace {

#if CUSET_LIBTORCH_HAS_CUDA
std::string torch_cuda_version() {
  return fmt::format("{}.{}", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}

base::GpuInfo describe_gpu(int index) {
  const cudaDeviceProp* properties = at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(index));
  return {.name = properties->name,
          .compute_major = properties->major,
          .compute_minor = properties->minor,
          .multiprocessors = properties->multiProcessorCount,
          .memory_bytes = properties->totalGlobalMem,
          .cache_bytes = static_cast<uint64_t>(properties->l2CacheSize)};
}
#else
std::string torch_cuda_version() { return ""; }

base::GpuInfo describe_gpu(int index) {
  CUSET_CHECK(false, "a CPU-only LibTorch reports GPU {}", index);
  return {};
}
#endif

}  // namespace

TensorBackend describe_tensor_backend() {
  TensorBackend backend;
  backend.libtorch_version = TORCH_VERSION;
  backend.libtorch_cuda_version = torch_cuda_version();
  backend.cpu_capability = at::get_cpu_capability();
  backend.cpu_threads = default_cpu_threads();
  backend.kernel_cuda_version = CUSET_KERNEL_CUDA_VERSION;
  backend.kernel_architectures = CUSET_KERNEL_ARCHITECTURES;
  if (torch::cuda::is_available()) {
    for (int i = 0; i < static_cast<int>(torch::cuda::device_count()); ++i)
      backend.gpus.push_back(describe_gpu(i));
  }
  return backend;
}

bool gpu_kernels_usable() {
  static const bool usable =
      !std::string_view(CUSET_KERNEL_CUDA_VERSION).empty() && torch::cuda::is_available();
  return usable;
}

}  // namespace cuset::ops
