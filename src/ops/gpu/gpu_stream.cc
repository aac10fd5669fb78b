#include "ops/gpu/gpu_stream.h"

#include "base/error.h"
#include "ops/device/backend.h"

#if CUSET_LIBTORCH_HAS_CUDA
#include <c10/cuda/CUDAStream.h>
#endif

namespace cuset::ops {

GpuStream current_gpu_stream(const torch::Tensor& tensor) {
  CUSET_CHECK(tensor.is_cuda(), "tensor is on {}", tensor.device().str());
#if CUSET_LIBTORCH_HAS_CUDA
  return c10::cuda::getCurrentCUDAStream(tensor.device().index()).stream();
#else
  return nullptr;
#endif
}

GpuType gpu_type_of(const torch::Tensor& tensor, const char* operation) {
  if (tensor.scalar_type() == torch::kFloat32) return GpuType::kFloat32;
  if (tensor.scalar_type() == torch::kBFloat16) return GpuType::kBFloat16;
  throw base::Error("{}: no GPU kernel for {}; float32 and bfloat16 have one", operation,
                    toString(tensor.scalar_type()));
}

bool has_gpu_kernel(const torch::Tensor& tensor) {
  const auto type = tensor.scalar_type();
  return tensor.is_cuda() && gpu_kernels_usable() && (type == torch::kFloat32 || type == torch::kBFloat16);
}

}  // namespace cuset::ops
