// A lock in shared memory, taken by one thread of each warp: atomics and fences order the plain accesses
// under it.
#include <cstdio>

__global__ void append(const int* in, int* out) {
  __shared__ int lock;
  __shared__ int used;
  __shared__ int list[8];
  if (threadIdx.x == 0) lock = used = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    list[used] = in[threadIdx.x / 32];
    used = used + 1;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < used; ++i) sum += list[i];
    *out = sum;
  }
}

int main() {
  const int host[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  int *in, *out, result = 0;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  append<<<1, 256>>>(in, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  return result != 255;
}
