// floor, ceil, trunc, round, rint, nearbyint, lrint, llround with halves and negative numbers.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void compute(const float* in, float* out, long long* whole) {
  float x = in[threadIdx.x];
  float* mine = out + threadIdx.x * 6;
  mine[0] = floorf(x);
  mine[1] = ceilf(x);
  mine[2] = truncf(x);
  mine[3] = roundf(x);
  mine[4] = rintf(x);
  mine[5] = static_cast<float>(nearbyint(static_cast<double>(x)));
  whole[threadIdx.x * 3] = lrintf(x);
  whole[threadIdx.x * 3 + 1] = llround(static_cast<double>(x));
  whole[threadIdx.x * 3 + 2] = lroundf(x);
}

int main() {
  const int n = 12;
  float values[n] = {0.5f,        1.5f,  2.5f,       -0.5f, -1.5f, -2.5f,
                     0.49999997f, -0.3f, 8388607.5f, 1e10f, -7.0f, 3.7f};
  float got[n * 6] = {};
  long long got_whole[n * 3] = {};
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  long long* whole;
  cudaMalloc(&whole, sizeof(got_whole));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, n>>>(in, out, whole);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  cudaMemcpy(got_whole, whole, sizeof(got_whole), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n * 6; ++i) {
    float x = values[i / 6];
    float want[6] = {std::floor(x), std::ceil(x), std::trunc(x),
                     std::round(x), std::rint(x), std::nearbyint(x)};
    if (got[i] != want[i % 6])
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, got[i], want[i % 6]), 1;
    if (std::signbit(got[i]) != std::signbit(want[i % 6]))
      return std::printf("FAIL [%d] sign of zero\n", i), 1;
  }
  for (int i = 0; i < n * 3; ++i) {
    float x = values[i / 3];
    long long want = i % 3 ? std::llround(x) : std::llrint(x);
    if (got_whole[i] != want)
      return std::printf("FAIL [%d] got %lld, wanted %lld\n", i, got_whole[i], want), 1;
  }
  std::puts("PASS");
}
