// Variadic templates: fold expressions, packs of arguments to a kernel, recursion over a pack.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int joined() { return 0; }

template <typename First, typename... Rest>
__device__ int joined(First first, Rest... rest) {
  return static_cast<int>(first) + 10 * joined(rest...);
}

template <typename... Arguments>
__global__ void combine(int* out, Arguments... arguments) {
  out[0] = static_cast<int>((arguments + ...));
  out[1] = joined(arguments...);
  out[2] = sizeof...(arguments);
  out[3] = static_cast<int>((sizeof(Arguments) + ... + 0));
}

int main() {
  int got[8] = {}, want[8] = {10, 4321, 4, 17, 7, 7, 1, 1};
  int* out;
  cudaMalloc(&out, sizeof(got));
  combine<<<1, 1>>>(out, 1, 2.0, 3.0f, 'x' == 'x' ? static_cast<char>(4) : 'y');
  combine<<<1, 1>>>(out + 4, static_cast<unsigned char>(7));
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want[i]), 1;
  std::puts("PASS");
}
