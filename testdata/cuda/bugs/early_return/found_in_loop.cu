// Threads that find what they look for leave a loop with a barrier in it.
#include <cstdio>

__global__ void search(const int* keys, int* out, int rounds) {
  const int t = threadIdx.x;
  out[t] = -1;
  for (int round = 0; round < rounds; ++round) {
    if (keys[round * blockDim.x + t] == 7) {
      out[t] = round;
      return;
    }
    __syncthreads();  // finds: early_return
  }
}

int main() {
  const int rounds = 3, n = 64;
  int host[rounds * n] = {};
  host[n + 5] = 7;
  int *keys, *out;
  cudaMalloc(&keys, sizeof(host));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(keys, host, sizeof(host), cudaMemcpyHostToDevice);
  search<<<1, n>>>(keys, out, rounds);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
