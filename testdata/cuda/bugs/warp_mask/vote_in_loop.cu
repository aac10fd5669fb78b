// A vote in a loop that the lanes leave one by one, towards a barrier: the vote waits for those who left.
#include <cstdio>

__global__ void countdown(const int* start, int* out) {
  const int t = threadIdx.x;
  int rounds = 0;
  for (int left = start[t]; left > 0; --left) {
    if (__any_sync(0xffffffffu, left == 1)) ++rounds;  // finds: warp_mask
  }
  __syncthreads();  // or: warp_mask
  out[t] = rounds;
}

int main() {
  int host[32];
  for (int i = 0; i < 32; ++i) host[i] = 1 + i % 4;
  int *start, *out;
  cudaMalloc(&start, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(start, host, sizeof(host), cudaMemcpyHostToDevice);
  countdown<<<1, 32>>>(start, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
