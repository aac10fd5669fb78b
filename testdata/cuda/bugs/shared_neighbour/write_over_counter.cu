// A queue in shared memory is one entry too short; its overflow destroys the arrays beside it.
#include <cstdio>

__global__ void collect(const int* in, int* out, int n) {
  __shared__ int before[32];
  __shared__ int queue[32];
  __shared__ int after[32];
  before[threadIdx.x] = 0;
  after[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    int used = 0;
    for (int i = 0; i < n; ++i) {
      if (in[i] == 0) queue[used++] = i;  // finds: out_of_bounds
    }
    out[32] = used;
  }
  __syncthreads();
  out[threadIdx.x] = before[threadIdx.x] + queue[threadIdx.x] + after[threadIdx.x];
}

int main() {
  const int n = 33;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 33 * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  collect<<<1, 32>>>(in, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
