// One kernel allocates, a second frees, a third still uses the pointer kept in a device variable.
#include <cstdio>

__device__ float* kept;

__global__ void make() {
  kept = static_cast<float*>(malloc(64 * sizeof(float)));
  for (int i = 0; i < 64; ++i) kept[i] = 0.0f;
}

__global__ void drop() { free(kept); }

__global__ void use() {
  float* memory = kept;
  memory[threadIdx.x] = 1.0f;  // finds: use_after_free
}

int main() {
  make<<<1, 1>>>();
  drop<<<1, 1>>>();
  use<<<1, 32>>>();
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
