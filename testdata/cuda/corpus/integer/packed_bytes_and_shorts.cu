// Packed intrinsics on four bytes and two shorts: sums, differences, extremes, comparisons, saturation.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void compute(const unsigned* in, unsigned* out) {
  unsigned a = in[threadIdx.x], b = in[(threadIdx.x + 1) % 10];
  unsigned results[9] = {__vadd4(a, b),    __vsub4(a, b),  __vaddus4(a, b),
                         __vmaxs4(a, b),   __vminu4(a, b), __vabsdiffu4(a, b),
                         __vcmpgtu4(a, b), __vadd2(a, b),  __vsadu4(a, b)};
  for (int i = 0; i < 9; ++i) out[threadIdx.x * 9 + i] = results[i];
}

int main() {
  unsigned values[10], got[90] = {};
  for (int i = 0; i < 10; ++i) values[i] = (i + 3) * 2246822519u;
  unsigned* in;
  cudaMalloc(&in, sizeof(values));
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 10>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 10; ++t) {
    unsigned a = values[t], b = values[(t + 1) % 10], want[9] = {};
    for (int shift = 0; shift < 32; shift += 8) {
      int x = a >> shift & 255, y = b >> shift & 255, sx = static_cast<signed char>(x),
          sy = static_cast<signed char>(y);
      int gap = x > y ? x - y : y - x;
      int bytes[7] = {x + y, x - y,          x + y > 255 ? 255 : x + y, sx > sy ? sx : sy, x < y ? x : y,
                      gap,   x > y ? 255 : 0};
      for (int i = 0; i < 7; ++i) want[i] |= (bytes[i] & 255u) << shift;
      want[8] += gap;
    }
    want[7] = ((a + b) & 0xffffu) | ((a >> 16) + (b >> 16)) << 16;
    for (int i = 0; i < 9; ++i)
      if (got[t * 9 + i] != want[i])
        return std::printf("FAIL [%d] got %x, wanted %x\n", t * 9 + i, got[t * 9 + i], want[i]), 1;
  }
  std::puts("PASS");
}
