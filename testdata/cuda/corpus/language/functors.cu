// Functors with state passed to kernels by value, and composed by a template.
#include <cuda_runtime.h>

#include <cstdio>

struct Scale {
  float factor;
  __host__ __device__ float operator()(float x) const { return x * factor; }
};

struct Clamp {
  float low, high;
  __host__ __device__ float operator()(float x) const { return x < low ? low : x > high ? high : x; }
};

template <typename F, typename G>
struct Composed {
  F first;
  G second;
  __host__ __device__ float operator()(float x) const { return second(first(x)); }
};

template <typename Function>
__global__ void transform(float* data, int count, Function function) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = function(data[i]);
}

int main() {
  float values[100], got[100] = {};
  for (int i = 0; i < 100; ++i) values[i] = i - 50;
  Composed<Scale, Clamp> function = {{0.25f}, {-5, 7.5f}};
  float* data;
  cudaMalloc(&data, sizeof(values));
  cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
  transform<<<4, 32>>>(data, 100, function);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, data, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 100; ++i) {
    float want = (i - 50) * 0.25f;
    want = want < -5 ? -5 : want > 7.5f ? 7.5f : want;
    if (got[i] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
