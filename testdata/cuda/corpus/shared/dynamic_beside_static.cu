// Dynamic and static shared memory in one kernel, and two names for the dynamic part's one address.
#include <cuda_runtime.h>
#include <cstring>

#include <cstdio>
#include <cstring>

extern __shared__ float as_floats[];
extern __shared__ unsigned as_bits[];

__global__ void both(unsigned* out) {
  __shared__ unsigned fixed[64];
  fixed[threadIdx.x] = 1000 + threadIdx.x;
  as_floats[threadIdx.x] = static_cast<float>(threadIdx.x);
  __syncthreads();
  unsigned other = 63 - threadIdx.x;
  out[threadIdx.x] = as_bits[other] ^ fixed[other];
}

int main() {
  unsigned got[64] = {};
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  both<<<1, 64, 64 * sizeof(float)>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) {
    unsigned bits;
    float value = 63 - i;
    std::memcpy(&bits, &value, 4);
    if (got[i] != (bits ^ (1063u - i)))
      return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[i], (bits ^ (1063u - i))), 1;
  }
  std::puts("PASS");
}
