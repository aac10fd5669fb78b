// 8-bit floats (e4m3 and e5m2): all values widen as their definition says, narrowing picks the nearest, ties the even.
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

// By definition: sign, exponent and fraction; e4m3 has NaN in place of the last number and no infinity.
float defined(int bits, bool e4m3) {
  const int fraction_bits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15, fraction = bits & ((1 << fraction_bits) - 1);
  const int exponent = (bits & 127) >> fraction_bits;
  if (e4m3 ? (bits & 127) == 127 : exponent == 31)
    return e4m3 || fraction != 0 ? NAN : bits > 127 ? -INFINITY : INFINITY;
  const float size =
      exponent == 0 ? std::ldexp(float(fraction), 1 - bias - fraction_bits)
                    : std::ldexp(float((1 << fraction_bits) + fraction), exponent - bias - fraction_bits);
  return bits > 127 ? -size : size;
}

__global__ void convert(const float* in, int count, float* wide, unsigned char* narrow) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 256) {
    __nv_fp8_e4m3 a;
    __nv_fp8x2_e5m2 b;
    a.__x = static_cast<__nv_fp8_storage_t>(i);
    b.__x = static_cast<__nv_fp8x2_storage_t>(i << 8);
    wide[i] = float(a);
    wide[256 + i] = float2(b).y;
    wide[512 + i] = __half2float(__half(a));
  }
  if (i >= count) return;
  narrow[4 * i] = __nv_fp8_e4m3(in[i]).__x;
  narrow[4 * i + 1] = __nv_fp8_e5m2(in[i]).__x;
  narrow[4 * i + 2] = __nv_cvt_float_to_fp8(in[i], __NV_NOSAT, __NV_E4M3);
  narrow[4 * i + 3] = __nv_cvt_float2_to_fp8x2(make_float2(0, in[i]), __NV_NOSAT, __NV_E5M2) >> 8;
}

// The nearest of all finite numbers; of two, the one with the even bits. Too large: the last one or what stands behind it.
int nearest(float x, bool e4m3, bool saturates) {
  const int last = e4m3 ? 0x7e : 0x7b, sign = std::signbit(x) ? 128 : 0;
  const double size = std::fabs(double(x)), half_step = e4m3 ? 16 : 4096;
  const double limit = defined(last, e4m3) + half_step;
  if (size > limit || (size == limit && (last & 1) != 0)) return (saturates ? last : last + 1) | sign;
  int best = 0;
  for (int bits = 1; bits <= last; ++bits) {
    const double now = std::fabs(defined(bits, e4m3) - size), before = std::fabs(defined(best, e4m3) - size);
    if (now < before || (now == before && bits % 2 == 0)) best = bits;
  }
  return best | sign;
}

int main() {
  const int count = 4000;
  static float in[count], wide[768];
  static unsigned char narrow[4 * count];
  for (int i = 0; i < count; ++i)
    in[i] = std::ldexp((i % 61 + 61) / 64.0f, i / 61 % 40 - 20) * (i % 2 != 0 ? -1 : 1);
  float *from, *to;
  unsigned char* bytes;
  cudaMalloc(&from, sizeof in), cudaMalloc(&to, sizeof wide), cudaMalloc(&bytes, sizeof narrow);
  cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice);
  convert<<<(count + 255) / 256, 256>>>(from, count, to, bytes);
  cudaMemcpy(wide, to, sizeof wide, cudaMemcpyDeviceToHost);
  cudaMemcpy(narrow, bytes, sizeof narrow, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 768; ++i) {
    const float want = defined(i % 256, i / 256 != 1);
    if (wide[i] != want && !(std::isnan(wide[i]) && std::isnan(want)))
      return std::printf("FAIL value %d: got %g, wanted %g\n", i, wide[i], want), 1;
  }
  for (int i = 0; i < 4 * count; ++i) {
    const int want = nearest(in[i / 4], i % 2 == 0, i % 4 < 2);
    if (narrow[i] != want)
      return std::printf("FAIL %g [%d]: got %02x, wanted %02x\n", in[i / 4], i % 4, narrow[i], want), 1;
  }
  std::puts("PASS");
}
