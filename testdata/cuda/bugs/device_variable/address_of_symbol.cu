// The address of a symbol, passed as a pointer, and a length that is twice the symbol's.
#include <cstdio>

__device__ float state[64];

__global__ void reset(float* values, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = 1.0f;  // finds: out_of_bounds
}

int main() {
  void* address = nullptr;
  cudaGetSymbolAddress(&address, state);
  reset<<<1, 32>>>(static_cast<float*>(address), 128);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
