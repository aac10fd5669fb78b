// curand_normal: mean, variance and tails of half a million numbers, and that a state in global memory goes
// on where it stopped.
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kThreads = 4096, kEach = 128;

__global__ void seed(curandState* states) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(42, i, 0, &states[i]);
}

__global__ void draw(curandState* states, float* out, int from, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState mine = states[i];
  for (int k = 0; k < count; ++k) out[(from + k) * kThreads + i] = curand_normal(&mine);
  states[i] = mine;
}

int main() {
  curandState* states;
  float* out;
  cudaMalloc(&states, kThreads * sizeof(curandState));
  cudaMalloc(&out, sizeof(float) * kThreads * kEach);
  seed<<<kThreads / 256, 256>>>(states);
  draw<<<kThreads / 256, 256>>>(states, out, 0, 33);
  draw<<<kThreads / 256, 256>>>(states, out, 33, kEach - 33);
  std::vector<float> numbers(kThreads * kEach);
  if (cudaMemcpy(numbers.data(), out, numbers.size() * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess)
    return std::puts("FAIL launch"), 1;
  double sum = 0, squares = 0;
  int beyond = 0;
  for (const float x : numbers) sum += x, squares += x * x, beyond += std::fabs(x) > 2;
  const double n = numbers.size(), mean = sum / n, variance = squares / n - mean * mean, share = beyond / n;
  if (std::fabs(mean) > 0.006 || std::fabs(variance - 1) > 0.01 || std::fabs(share - 0.0455) > 0.002)
    return std::printf("FAIL mean %.4f variance %.4f beyond 2: %.4f\n", mean, variance, share), 1;
  std::puts("PASS");
}
