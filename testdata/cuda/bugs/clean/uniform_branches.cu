// Barriers under conditions that are the same for a whole block: by block index, by argument, by a value that
// all read.
#include <cstdio>

__global__ void work(const int* in, int* out, int rounds) {
  __shared__ int shared_limit;
  const int t = threadIdx.x;
  if (blockIdx.x == 3) return;
  if (t == 0) shared_limit = in[blockIdx.x];
  __syncthreads();
  const int limit = shared_limit;
  int sum = 0;
  for (int r = 0; r < limit + rounds; ++r) {
    if (blockIdx.x % 2 == 0) {
      sum += 1;
      __syncthreads();
    } else {
      __syncthreads();
      sum += 2;
      __syncthreads();
    }
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}

int main() {
  const int host[4] = {1, 2, 3, 4};
  int result[4 * 64];
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(result));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(result));
  work<<<4, 64>>>(in, out, 2);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", result[0], result[64], result[128], result[192]);
  return result[0] != 3 || result[64] != 8 || result[128] != 5 || result[192] != 0;
}
