// Blocking streams and the default stream wait for each other; a blocking copy waits for both.
#include <cstdio>

__global__ void add(int* values, int number) { values[threadIdx.x] += number; }
__global__ void twice(int* values) { values[threadIdx.x] *= 2; }

int main() {
  int *values, result[32];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&values, sizeof(result));
  cudaMemset(values, 0, sizeof(result));
  add<<<1, 32, 0, stream>>>(values, 3);
  twice<<<1, 32>>>(values);
  add<<<1, 32, 0, stream>>>(values, 1);
  cudaMemcpy(result, values, sizeof(result), cudaMemcpyDeviceToHost);
  cudaStreamDestroy(stream);
  printf("%d\n", result[0]);
  return result[0] != 7;
}
