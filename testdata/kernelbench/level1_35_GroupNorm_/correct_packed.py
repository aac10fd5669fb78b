# verdict: correct
# Weight and bias lie in one tensor that is made when the module is, out of a layer that is not kept.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = r"""
// One block for each group of a sample. `affine` holds the weights and then the biases.
__global__ void group_norm_kernel(const float* x, const float* affine, float* y, int64_t channels, int64_t group_channels,
                                  int64_t inner, float eps) {
  __shared__ double sums[2][256];
  const int64_t count = group_channels * inner, start = blockIdx.x * count;
  double sum = 0, squares = 0;
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x) {
    const double value = x[start + i];
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
    const int64_t channel = (start + i) / inner % channels;
    const double normal = (x[start + i] - mean) * scale;
    y[start + i] = static_cast<float>(normal * affine[channel] + affine[channels + channel]);
  }
}

torch::Tensor group_norm(torch::Tensor x, torch::Tensor affine, int64_t groups, double eps) {
  auto y = torch::empty_like(x);
  const int64_t batch = x.size(0), channels = x.size(1), inner = x.numel() / batch / channels;
  group_norm_kernel<<<batch * groups, 256>>>(x.data_ptr<float>(), affine.data_ptr<float>(), y.data_ptr<float>(), channels,
                                             channels / groups, inner, static_cast<float>(eps));
  TORCH_CHECK(cudaGetLastError() == cudaSuccess, "CUDA error at launch");
  return y;
}
"""

cpp_source = "torch::Tensor group_norm(torch::Tensor x, torch::Tensor affine, int64_t groups, double eps);"

kernels = load_inline(
    name="cuset_group_norm_packed",
    cpp_sources=cpp_source,
    cuda_sources=cuda_source,
    functions=["group_norm"],
)


class ModelNew(nn.Module):
    def __init__(self, num_features, num_groups):
        super().__init__()
        layer = nn.GroupNorm(num_groups, num_features)
        self.num_groups, self.eps = num_groups, layer.eps
        self.affine = torch.cat([layer.weight.detach(), layer.bias.detach()]).cuda()

    def forward(self, x):
        return kernels.group_norm(x.contiguous(), self.affine, self.num_groups, self.eps)
