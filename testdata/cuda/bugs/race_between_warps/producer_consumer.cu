// One warp fills a buffer for the other; a fence orders memory but waits for nobody.
#include <cstdio>

__global__ void pipeline(const int* in, int* out) {
  __shared__ int buffer[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    buffer[lane] = in[lane];  // finds: shared_race
    __threadfence_block();
  } else {
    out[lane] = buffer[lane];  // or: shared_race; may: uninitialised_read
  }
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  pipeline<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
