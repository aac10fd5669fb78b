// A thread's index along an axis that is only known when the program runs, with barriers around it.
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned index_along(int axis) {
  const uint3 index = threadIdx;
  const unsigned indices[3] = {index.x, index.y, index.z};
  return indices[axis];
}

__global__ void along(int* out, int axis, int rounds) {
  __shared__ int line[60];
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    line[t] = static_cast<int>(index_along((axis + round) % 3));
    __syncthreads();
    sum = sum * 7 + line[59 - t];
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 60 * sizeof(int));
  for (int axis = 0; axis < 3; ++axis) {
    along<<<1, dim3(5, 4, 3)>>>(out, axis, 5);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    for (int t = 0; t < 60; ++t) {
      const int other = 59 - t, index[3] = {other % 5, other / 5 % 4, other / 20};
      int want = 0;
      for (int round = 0; round < 5; ++round) want = want * 7 + index[(axis + round) % 3];
      if (out[t] != want)
        return std::printf("FAIL axis %d [%d] got %d, wanted %d\n", axis, t, out[t], want), 1;
    }
  }
  std::puts("PASS");
}
