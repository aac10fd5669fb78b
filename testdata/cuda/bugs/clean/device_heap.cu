// Memory of the device's heap: made in one launch, used in the next, freed in a third, and private scratch
// beside it.
#include <cstdio>

__device__ int* kept[32];

__global__ void make() {
  int* memory = static_cast<int*>(malloc((threadIdx.x + 1) * sizeof(int)));
  for (unsigned i = 0; i <= threadIdx.x; ++i) memory[i] = i;
  kept[threadIdx.x] = memory;
}

__global__ void use(int* out) {
  int* scratch = static_cast<int*>(malloc(8));
  const int* memory = kept[31 - threadIdx.x];
  scratch[0] = memory[0];
  scratch[1] = memory[31 - threadIdx.x];
  out[threadIdx.x] = scratch[0] + scratch[1];
  free(scratch);
  free(nullptr);
}

__global__ void drop() { free(kept[threadIdx.x]); }

int main() {
  int result[32];
  int* out;
  cudaMalloc(&out, sizeof(result));
  make<<<1, 32>>>();
  use<<<1, 32>>>(out);
  drop<<<1, 32>>>();
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[0], result[31]);
  return result[0] != 31 || result[31] != 0 || cudaDeviceSynchronize() != cudaSuccess;
}
