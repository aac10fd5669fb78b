// A thread frees its memory and reads it once more.
#include <cstdio>

__global__ void scratch(int* out, int n) {
  int* memory = static_cast<int*>(malloc(n * sizeof(int)));
  if (memory == nullptr) return;
  for (int i = 0; i < n; ++i) memory[i] = i;
  const int first = memory[0];
  free(memory);
  out[threadIdx.x] = first + memory[n - 1];  // finds: use_after_free
}

int main() {
  int* out;
  cudaMalloc(&out, 4 * sizeof(int));
  scratch<<<1, 4>>>(out, 16);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
