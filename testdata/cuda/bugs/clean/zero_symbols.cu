// Device variables without an initialiser start as zero, constant ones too.
#include <cstdio>

struct Settings {
  int offset;
  float scale;
};

__device__ int counters[16];
__constant__ Settings settings;

__global__ void count(int* out) {
  atomicAdd(&counters[threadIdx.x % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = counters[threadIdx.x] + settings.offset;
}

int main() {
  int result[16];
  int* out;
  cudaMalloc(&out, sizeof(result));
  count<<<1, 64>>>(out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d\n", result[5]);
  return result[5] != 4;
}
