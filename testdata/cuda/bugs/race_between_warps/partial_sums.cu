// Each warp reduces by shuffles and stores its sum; the first warp adds them up without a barrier.
#include <cstdio>

__global__ void sum(const int* in, int* out) {
  __shared__ int partial[8];
  const int t = threadIdx.x;
  int value = in[t];
  for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (t % 32 == 0) partial[t / 32] = value;  // finds: shared_race
  __syncwarp();
  if (t == 0) {
    int total = 0;
    for (int w = 0; w < 8; ++w) total += partial[w];  // or: shared_race; may: uninitialised_read
    *out = total;
  }
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 256 * sizeof(int));
  sum<<<1, 256>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
