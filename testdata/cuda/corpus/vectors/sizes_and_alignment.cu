// Sizes and alignments of the vector types, the same on the device as on the host.
#include <cuda_runtime.h>

#include <cstdio>

struct Mixed {
  char tag;
  float4 wide;
  char end;
  int2 pair;
  short3 odd;
};

template <typename... Types>
__host__ __device__ void measure(unsigned* out) {
  unsigned values[] = {static_cast<unsigned>(sizeof(Types) * 100 + alignof(Types))...};
  for (unsigned i = 0; i < sizeof...(Types); ++i) out[i] = values[i];
}

__host__ __device__ void measure_all(unsigned* out) {
  measure<char1, char2, char4, uchar3, short2, ushort4, int2, int3, uint4, float1, float2, float4, double2,
          longlong2, Mixed, dim3>(out);
}

__global__ void on_device(unsigned* out) { measure_all(out); }

int main() {
  unsigned got[16] = {}, host[16];
  unsigned want[16] = {101, 202, 404, 301, 404, 808, 808, 1204, 1616, 404, 808, 1616, 1616, 1616, 6416, 1204};
  measure_all(host);
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  on_device<<<1, 1>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 16; ++i) {
    if (host[i] != want[i]) return std::printf("FAIL [%d] got %u, wanted %u\n", i, host[i], want[i]), 1;
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[i], want[i]), 1;
  }
  std::puts("PASS");
}
