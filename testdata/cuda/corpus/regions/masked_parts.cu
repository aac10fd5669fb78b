// Warp operations and barriers in parts of a kernel that some threads leave out: behind an early return, in one arm of a branch, in both,
// in a part of a part, in loops that only some warps enter.
// check: skip threads end before a barrier on purpose
#include <cuda_runtime.h>

#include <cstdio>

__global__ void early_return(const int* in, int* out, int n) {
  __shared__ int part[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int left = n - blockIdx.x * blockDim.x, living = left < 256 ? left : 256;
  int value = in[i];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int offset = 16; offset > 0; offset /= 2)
    value = max(value, __shfl_xor_sync(0xffffffffu, value, offset));
  if (lane == 0) part[warp] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < (living + 31) / 32; ++w) value = max(value, part[w]);
    out[blockIdx.x] = value;
  }
}

__device__ bool round_trip(int value) { return value * 2 / 2 == value; }

__global__ void both_arms(int* out) {
  const int t = threadIdx.x, warp = t / 32;
  int value = t * 3;
  if (warp % 2 == 0) {
    value += __shfl_down_sync(0xffffffffu, value, 1);
    if (warp == 2) {
      const unsigned voted = __ballot_sync(0xffffffffu, t % 3 == 0);
      value += static_cast<int>(voted & 0xff);
    }
  } else {
    for (int round = 0; round < warp; ++round) value = __shfl_up_sync(0xffffffffu, value, 1) + round;
    value -= __popc(__ballot_sync(0xffffffffu, round_trip(value)));
  }
  if (t % 32 < 7) value += __shfl_sync(0x7fu, value, 6);
  out[t] = value;
}

__global__ void last_warp(const float* in, float* out) {
  __shared__ float part[32];
  float value = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(0xffffffffu, value, offset);
    if (threadIdx.x == 0) out[blockIdx.x] = value;
  }
}

int want_of(int t) {
  int values[256], next[256];
  for (int i = 0; i < 256; ++i) values[i] = i * 3;
  const auto at = [&](int i, int lane) { return values[i / 32 * 32 + lane]; };
  for (int i = 0; i < 256; ++i) {
    const int warp = i / 32, lane = i % 32;
    next[i] = values[i];
    if (warp % 2 == 0) {
      next[i] += at(i, lane + 1 < 32 ? lane + 1 : lane);
      if (warp == 2) {
        int voted = 0;
        for (int l = 0; l < 8; ++l) voted |= ((warp * 32 + l) % 3 == 0) << l;
        next[i] += voted;
      }
    }
  }
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < 256; ++i) {
      const int warp = i / 32, lane = i % 32;
      if (warp % 2 == 1 && round < warp) next[i] = at(i, lane > 0 ? lane - 1 : 0) + round;
    }
    for (int i = 0; i < 256; ++i) {
      if (i / 32 % 2 == 1) values[i] = next[i];
    }
  }
  for (int i = 0; i < 256; ++i) values[i] = i / 32 % 2 == 1 ? next[i] - 32 : next[i];
  return t % 32 < 7 ? values[t] + at(t, 6) : values[t];
}

int main() {
  const int n = 704;
  int *in, *out;
  float *floats, *sums;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, 256 * sizeof(int));
  cudaMallocManaged(&floats, 1024 * sizeof(float));
  cudaMallocManaged(&sums, 4 * sizeof(float));
  for (int i = 0; i < n; ++i) in[i] = i * 7919 % 1009;
  for (int i = 0; i < 1024; ++i) floats[i] = static_cast<float>(i % 50);
  early_return<<<3, 256>>>(in, out, n);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("FAIL early_return"), 1;
  for (int b = 0; b < 3; ++b) {
    int want = 0;
    for (int i = b * 256; i < n && i < b * 256 + 256; ++i) want = in[i] > want ? in[i] : want;
    if (out[b] != want) return std::printf("FAIL early_return [%d] got %d, wanted %d\n", b, out[b], want), 1;
  }
  both_arms<<<1, 256>>>(out);
  last_warp<<<4, 256>>>(floats, sums);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  for (int t = 0; t < 256; ++t) {
    if (out[t] != want_of(t))
      return std::printf("FAIL both_arms [%d] got %d, wanted %d\n", t, out[t], want_of(t)), 1;
  }
  for (int b = 0; b < 4; ++b) {
    float want = 0;
    for (int i = 0; i < 256; ++i) want += floats[b * 256 + i];
    if (sums[b] != want) return std::printf("FAIL last_warp [%d] got %g, wanted %g\n", b, sums[b], want), 1;
  }
  std::puts("PASS");
}
