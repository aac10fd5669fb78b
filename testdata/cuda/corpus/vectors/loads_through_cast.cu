// Vector loads and stores through reinterpret_cast: float2, float4, int4, double2, uchar4, short2.
#include <cuda_runtime.h>

#include <cstdio>

template <typename V>
__global__ void copy(const void* in, void* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) reinterpret_cast<V*>(out)[count - 1 - i] = reinterpret_cast<const V*>(in)[i];
}

template <typename V>
bool right(const unsigned char (&bytes)[4096], void* in, void* out) {
  static unsigned char got[4096];
  int count = 4096 / sizeof(V);
  cudaMemset(out, 0, 4096);
  copy<V><<<(count + 63) / 64, 64>>>(in, out, count);
  cudaMemcpy(got, out, 4096, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4096; ++i)
    if (got[i] != bytes[(count - 1 - i / sizeof(V)) * sizeof(V) + i % sizeof(V)]) return false;
  return true;
}

int main() {
  static unsigned char bytes[4096];
  for (int i = 0; i < 4096; ++i) bytes[i] = static_cast<unsigned char>(i * 31 + i / 256);
  unsigned char* in;
  cudaMalloc(&in, 4096);
  unsigned char* out;
  cudaMalloc(&out, 4096);
  cudaMemcpy(in, bytes, sizeof(bytes), cudaMemcpyHostToDevice);
  bool good[8] = {right<float2>(bytes, in, out),    right<float4>(bytes, in, out),
                  right<int4>(bytes, in, out),      right<double2>(bytes, in, out),
                  right<uchar4>(bytes, in, out),    right<short2>(bytes, in, out),
                  right<longlong2>(bytes, in, out), right<ushort4>(bytes, in, out)};
  for (int i = 0; i < 8; ++i)
    if (!good[i]) return std::printf("FAIL type %d\n", i), 1;
  std::puts("PASS");
}
