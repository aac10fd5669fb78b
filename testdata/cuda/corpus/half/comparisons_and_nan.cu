// Comparisons of __half and __half2 with NaN and infinities, ordered and unordered, minimum and maximum.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void compare(const float* in, int* out) {
  int i = threadIdx.x / 4, j = threadIdx.x % 4;
  __half a = __float2half(in[i]), b = __float2half(in[j]);
  int bits = __heq(a, b) | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hle(a, b) << 3 | __hgt(a, b) << 4 |
             __hge(a, b) << 5;
  bits |= __hltu(a, b) << 6 | (a == b) << 7 | (a < b) << 8 | __hisnan(a) << 9 | (__hisinf(a) != 0) << 10;
  bits |= __hbeq2(__half2half2(a), __half2half2(b)) << 11;
  out[threadIdx.x] = bits;
  float low = __half2float(__hmin(a, b)), high = __half2float(__hmax(a, b));
  out[16 + threadIdx.x] =
      isnan(low) || isnan(high) ? 99 : (low == fminf(in[i], in[j])) + 2 * (high == fmaxf(in[i], in[j]));
}

int main() {
  float values[4] = {-1.5f, 2, INFINITY, NAN};
  int got[32] = {};
  float* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compare<<<1, 16>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int k = 0; k < 16; ++k) {
    float a = values[k / 4], b = values[k % 4];
    bool nan = a != a || b != b;
    int want = (a == b) | (a < b || a > b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5;
    want |= (a < b || nan) << 6 | (a == b) << 7 | (a < b) << 8 | (a != a) << 9 | (a == INFINITY) << 10 |
            (a == b) << 11;
    if (got[k] != want) return std::printf("FAIL [%d] got %x, wanted %x\n", k, got[k], want), 1;
    if (got[16 + k] != (a != a && b != b ? 99 : 3))
      return std::printf("FAIL [%d] got %d, wanted %d\n", 16 + k, got[16 + k], (a != a && b != b ? 99 : 3)),
             1;
  }
  std::puts("PASS");
}
