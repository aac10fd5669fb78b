// A barrier between blocks made of a counter and a volatile read.
#include <cstdio>

__device__ unsigned arrived;

__device__ void wait_for_all() {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (*static_cast<volatile unsigned*>(&arrived) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void rotate(int* values, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  values[i] = i * i;
  wait_for_all();
  out[i] = values[(i + blockDim.x) % n];
}

int main() {
  int *values, *out, result[128];
  cudaMalloc(&values, sizeof(result));
  cudaMalloc(&out, sizeof(result));
  rotate<<<4, 32>>>(values, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[0], result[127]);
  return result[0] != 1024 || result[127] != 31 * 31;
}
