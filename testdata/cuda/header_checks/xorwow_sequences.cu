// cuRAND's default generator: the first number of each subsequence for seed 1234, which the library's manual
// prints, and how numbers become uniform ones.
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

__global__ void draw(float* first, unsigned* raw, float* uniform) {
  curandState state;
  curand_init(1234, threadIdx.x, 0, &state);
  first[threadIdx.x] = curand_uniform(&state);
  curandState copy = state;
  raw[threadIdx.x] = curand(&copy);
  uniform[threadIdx.x] = curand_uniform(&state);
}

int main() {
  const float want[10] = {0.1455f, 0.8202f, 0.5504f, 0.2948f, 0.9147f,
                          0.8690f, 0.3219f, 0.7829f, 0.0113f, 0.2855f};
  float *first, *uniform;
  unsigned* raw;
  cudaMallocManaged(&first, sizeof want);
  cudaMallocManaged(&uniform, sizeof want);
  cudaMallocManaged(&raw, sizeof want);
  draw<<<1, 10>>>(first, raw, uniform);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("FAIL launch"), 1;
  for (int i = 0; i < 10; ++i) {
    if (std::fabs(first[i] - want[i]) > 5e-5f)
      return std::printf("FAIL subsequence %d: got %.6f, wanted %.4f\n", i, first[i], want[i]), 1;
    if (uniform[i] != (float)raw[i] * 0x1p-32f + 0x1p-33f)
      return std::printf("FAIL number %d: %u became %.9g\n", i, raw[i], uniform[i]), 1;
  }
  std::puts("PASS");
}
