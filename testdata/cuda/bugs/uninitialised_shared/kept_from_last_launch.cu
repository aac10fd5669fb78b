// The second kernel expects shared memory to hold what the first one left there.
#include <cstdio>

__shared__ int cache[32];

__global__ void prepare() { cache[threadIdx.x] = threadIdx.x; }

__global__ void use(int* out) {
  const int value = cache[threadIdx.x];  // finds: uninitialised_read
  out[threadIdx.x] = value;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  prepare<<<1, 32>>>();
  use<<<1, 32>>>(out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
