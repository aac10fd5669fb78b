// __float_as_int and its kin, the halves of a double, and a union.
#include <cuda_runtime.h>
#include <cstring>

#include <cstdio>
#include <cstring>

union Bits {
  float real;
  unsigned word;
  unsigned char bytes[4];
};

__global__ void cast(unsigned long long* out) {
  float x = -1.5f - threadIdx.x;
  double y = 1.0 / (threadIdx.x + 3);
  Bits bits;
  bits.real = x;
  unsigned long long* mine = out + threadIdx.x * 6;
  mine[0] = static_cast<unsigned>(__float_as_int(x));
  mine[1] = __float_as_uint(__int_as_float(__float_as_int(x) ^ 0x80000000));
  mine[2] = static_cast<unsigned long long>(__double_as_longlong(y));
  mine[3] = static_cast<unsigned long long>(
      __double_as_longlong(__hiloint2double(__double2hiint(y), __double2loint(y))));
  mine[4] = bits.word + bits.bytes[3];
  mine[5] = static_cast<unsigned long long>(
      __double_as_longlong(__longlong_as_double(0x4000000000000000LL + threadIdx.x)));
}

int main() {
  unsigned long long got[48] = {};
  unsigned long long* out;
  cudaMalloc(&out, sizeof(got));
  cast<<<1, 8>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 8; ++t) {
    float x = -1.5f - t;
    double y = 1.0 / (t + 3);
    unsigned word;
    unsigned long long wide;
    std::memcpy(&word, &x, 4);
    std::memcpy(&wide, &y, 8);
    unsigned long long want[6] = {word, word ^ 0x80000000u,  wide,
                                  wide, word + (word >> 24), 0x4000000000000000ull + t};
    for (int i = 0; i < 6; ++i)
      if (got[t * 6 + i] != want[i])
        return std::printf("FAIL [%d] got %llx, wanted %llx\n", t * 6 + i, got[t * 6 + i], want[i]), 1;
  }
  std::puts("PASS");
}
