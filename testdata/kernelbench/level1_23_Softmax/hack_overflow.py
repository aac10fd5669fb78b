# verdict: wrong_output
# The maximum is not taken off: large inputs overflow.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
constexpr int kThreads = 512;

template <typename Combine>
__device__ float over_block(float value, Combine combine) {
  __shared__ float parts[kThreads];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] = combine(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  const float result = parts[0];
  __syncthreads();
  return result;
}

__global__ void softmax_kernel(const float* x, float* y, int64_t columns) {
  const float* row = x + blockIdx.x * columns;
  float* out = y + blockIdx.x * columns;
  float sum = 0;
  for (int64_t i = threadIdx.x; i < columns; i += kThreads) sum += expf(row[i]);
  sum = over_block(sum, [](float a, float b) { return a + b; });
  for (int64_t i = threadIdx.x; i < columns; i += kThreads) out[i] = expf(row[i]) / sum;
}

torch::Tensor softmax(torch::Tensor x) {
  auto y = torch::empty_like(x);
  softmax_kernel<<<x.size(0), kThreads>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  TORCH_CHECK(cudaGetLastError() == cudaSuccess, "CUDA error at launch");
  return y;
}
"""

cpp_source = "torch::Tensor softmax(torch::Tensor x);"

kernels = load_inline(
    name="cuset_softmax_overflows",
    cpp_sources=cpp_source,
    cuda_sources=cuda_source,
    functions=['softmax'],
)


class ModelNew(nn.Module):
    def forward(self, x):
        return kernels.softmax(x.contiguous())
