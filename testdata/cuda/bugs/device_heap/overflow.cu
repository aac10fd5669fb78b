// Memory from the device's heap, filled by one element too many.
#include <cstdio>

__global__ void fill(int* out, int n) {
  long long* memory = static_cast<long long*>(malloc(n * sizeof(long long)));
  if (memory == nullptr) return;
  for (int i = 0; i <= n; ++i) {
    memory[i] = i;  // finds: out_of_bounds
  }
  out[threadIdx.x] = static_cast<int>(memory[0]);
  free(memory);
}

int main() {
  int* out;
  cudaMalloc(&out, 4 * sizeof(int));
  fill<<<1, 4>>>(out, 24);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
