# verdict: correct
# One block for each channel; the layer keeps the parameters.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
__global__ void batch_norm_kernel(const float* x, const float* weight, const float* bias, float* y, int64_t batch, int64_t channels, int64_t inner,
                                  float eps) {
  __shared__ double sums[2][256];
  const int64_t channel = blockIdx.x, count = batch * inner;
  double sum = 0, squares = 0;
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x) {
    const double value = x[(i / inner * channels + channel) * inner + i % inner];
    sum += value, squares += value * value;
  }
  sums[0][threadIdx.x] = sum, sums[1][threadIdx.x] = squares;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      sums[0][threadIdx.x] += sums[0][threadIdx.x + half];
      sums[1][threadIdx.x] += sums[1][threadIdx.x + half];
    }
    __syncthreads();
  }
  const double mean = sums[0][0] / count, scale = 1 / sqrt(sums[1][0] / count - mean * mean + eps);
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x) {
    const int64_t at = (i / inner * channels + channel) * inner + i % inner;
    y[at] = static_cast<float>((x[at] - mean) * scale * weight[channel] + bias[channel]);
  }
}

torch::Tensor batch_norm(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
  auto y = torch::empty_like(x);
  const int64_t batch = x.size(0), channels = x.size(1), inner = x.numel() / batch / channels;
  batch_norm_kernel<<<channels, 256>>>(x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(), batch, channels, inner,
                                       static_cast<float>(eps));
  TORCH_CHECK(cudaGetLastError() == cudaSuccess, "CUDA error at launch");
  return y;
}
"""

cpp_source = "torch::Tensor batch_norm(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps);"

kernels = load_inline(
    name="cuset_batch_norm",
    cpp_sources=cpp_source,
    cuda_sources=cuda_source,
    functions=["batch_norm"],
)


class ModelNew(nn.Module):
    def __init__(self, num_features):
        super().__init__()
        self.bn = nn.BatchNorm2d(num_features)

    def forward(self, x):
        return kernels.batch_norm(x.contiguous(), self.bn.weight, self.bn.bias, self.bn.eps)
