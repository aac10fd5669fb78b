// One thread writes global memory, another of the same block reads it behind the barrier.
#include <cstdio>

__global__ void rotate(int* data, int* out) {
  const int first = blockIdx.x * blockDim.x, t = threadIdx.x;
  data[first + t] = 3 * t;
  __syncthreads();
  out[first + t] = data[first + (t + 1) % blockDim.x];
  __syncthreads();
  data[first + (t + 5) % blockDim.x] = t;
}

int main() {
  int result[128];
  int *data, *out;
  cudaMalloc(&data, sizeof(result));
  cudaMalloc(&out, sizeof(result));
  rotate<<<2, 64>>>(data, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[0], result[127]);
  return result[0] != 3 || result[127] != 0;
}
