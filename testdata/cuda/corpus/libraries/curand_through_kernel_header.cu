// curand_kernel.h, which declares cuRAND's host API, too: numbers of both sides in their range, with the right mean.
// needs: cuRAND
#include <curand_kernel.h>

#include <cstdio>

__global__ void draw(float* numbers, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandState state;
  curand_init(7, i, 0, &state);
  numbers[i] = curand_uniform(&state);
}

bool is_uniform(const float* numbers, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    if (!(numbers[i] > 0 && numbers[i] <= 1)) return false;
    sum += numbers[i];
  }
  // Five standard deviations of the mean of 20,000 numbers: 5 * sqrt(1 / 12 / 20000).
  return sum / n > 0.5 - 0.0103 && sum / n < 0.5 + 0.0103;
}

int main() {
  const int n = 20000;
  float* numbers;
  cudaMallocManaged(&numbers, 2 * n * sizeof(float));
  for (int i = 0; i < 2 * n; ++i) numbers[i] = -1;
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW);
  curandGenerateUniform(generator, numbers, n);
  draw<<<(n + 255) / 256, 256>>>(numbers + n, n);
  cudaDeviceSynchronize();
  curandDestroyGenerator(generator);
  const bool passes = is_uniform(numbers, n) && is_uniform(numbers + n, n);
  std::printf(passes ? "PASS\n" : "FAIL: not uniform\n");
  return passes ? 0 : 1;
}
