// Static shared memory: several arrays of different types and alignments in one kernel do not overlap.
#include <cuda_runtime.h>

#include <cstdio>

struct Pair {
  char tag;
  double weight;
};

__global__ void mix(double* out) {
  __shared__ char letters[33];
  __shared__ double weights[33];
  __shared__ short numbers[33];
  __shared__ Pair pairs[33];
  int i = threadIdx.x;
  letters[i] = static_cast<char>(i + 1);
  weights[i] = i * 0.5;
  numbers[i] = static_cast<short>(-i);
  pairs[i].tag = static_cast<char>(2 * i);
  pairs[i].weight = i * 1000.0;
  __syncthreads();
  int j = 32 - i;
  out[i] = letters[j] + weights[j] + numbers[j] + pairs[j].tag + pairs[j].weight;
}

int main() {
  double got[33] = {};
  double* out;
  cudaMalloc(&out, sizeof(got));
  mix<<<1, 33>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 33; ++i) {
    int j = 32 - i;
    double want = (j + 1) + j * 0.5 - j + 2 * j + j * 1000.0;
    if (got[i] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
