// Blocks of 1, 31, 33, 100, 1000 and 1024 threads: all run, in whole and in partial warps.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void square(const int* in, int* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * in[i] + static_cast<int>(blockDim.x);
}

int main() {
  const int count = 3001;
  static int values[count], got[count];
  for (int i = 0; i < count; ++i) values[i] = i - 1500;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  for (int threads : {1, 31, 33, 100, 1000, 1024}) {
    cudaMemset(out, 0, sizeof(got));
    square<<<(count + threads - 1) / threads, threads>>>(in, out, count);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; ++i)
      if (got[i] != values[i] * values[i] + threads)
        return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], values[i] * values[i] + threads), 1;
  }
  std::puts("PASS");
}
