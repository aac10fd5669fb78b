// float to __half with each rounding mode: ties, halves of the smallest number, overflow.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void convert(const float* in, unsigned short* out) {
  float x = in[threadIdx.x];
  unsigned short* mine = out + threadIdx.x * 4;
  mine[0] = __half_as_ushort(__float2half_rn(x));
  mine[1] = __half_as_ushort(__float2half_rz(x));
  mine[2] = __half_as_ushort(__float2half_ru(x));
  mine[3] = __half_as_ushort(__float2half_rd(x));
}

int main() {
  float values[8] = {1 + 0x1p-11f, 1 + 0x3p-11f, -1 - 0x1p-12f, 65519.0f,
                     65520.0f,     0x1p-25f,     -0x3p-26f,     0x1.8p-24f};
  unsigned short got[32] = {},
                 want[32] = {0x3c00, 0x3c00, 0x3c01, 0x3c00,  // a tie goes to the even neighbour below
                             0x3c02, 0x3c01, 0x3c02, 0x3c01,  // a tie goes to the even neighbour above
                             0xbc00, 0xbc00, 0xbc00, 0xbc01, 0x7bff,
                             0x7bff, 0x7c00, 0x7bff,  // just below the rounding limit of the largest half
                             0x7c00, 0x7bff, 0x7c00, 0x7bff, 0x0000,
                             0x0000, 0x0001, 0x0000,  // half of the smallest number
                             0x8001, 0x8000, 0x8000, 0x8001, 0x0002,
                             0x0001, 0x0002, 0x0001};
  float* in;
  cudaMalloc(&in, sizeof(values));
  unsigned short* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  convert<<<1, 8>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %x, wanted %x\n", i, got[i], want[i]), 1;
  std::puts("PASS");
}
