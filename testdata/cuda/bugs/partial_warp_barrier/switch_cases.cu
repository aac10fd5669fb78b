// Four cases of a switch, two of them with a barrier.
#include <cstdio>

__global__ void cases(const int* in, int* out) {
  const int t = threadIdx.x;
  int value = in[t];
  switch (t % 4) {
    case 0:
      value += 1;
      __syncthreads();  // finds: divergent_barrier
      break;
    case 1:
      value += 2;
      __syncthreads();  // or: divergent_barrier
      break;
    default:
      value += 3;
  }
  __syncthreads();  // or: divergent_barrier; may: early_return
  out[t] = value;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  cases<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
