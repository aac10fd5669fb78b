// make_* of all component types, member access by x, y, z, w, and passing vectors by value.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int4 turned(int4 v) { return make_int4(v.w, v.x, v.y, v.z); }

__global__ void make(long long* out) {
  int t = threadIdx.x;
  char4 a = make_char4(-t, t, 1, 2);
  ushort2 b = make_ushort2(65535, t);
  uint3 c = make_uint3(4000000000u, t, 7);
  longlong2 d = make_longlong2(-5000000000LL, t);
  double2 e = make_double2(t * 0.5, 8.0);
  ulonglong2 f = make_ulonglong2(1ull << 63, t);
  int4 g = turned(turned(make_int4(t, 10, 20, 30)));
  float1 h = make_float1(t * 2.0f);
  g.x += 1;
  out[t] = a.x + a.y + a.z + a.w + b.x + b.y + c.x + c.y + c.z + d.x + d.y +
           static_cast<long long>(e.x * 2 + e.y) + static_cast<long long>(f.x >> 60) +
           static_cast<long long>(f.y) + g.x * 1000 + g.y * 100 + g.z * 10 + g.w +
           static_cast<long long>(h.x);
}

int main() {
  long long got[16] = {};
  long long* out;
  cudaMalloc(&out, sizeof(got));
  make<<<1, 16>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 16; ++t) {
    long long want = 3 + 65535 + t + 4000000000LL + t + 7 - 5000000000LL + t + t + 8 + 8 + t + 21000 + 3000 +
                     t * 10 + 10 + 2 * t;
    if (got[t] != want) return std::printf("FAIL [%d] got %lld, wanted %lld\n", t, got[t], want), 1;
  }
  std::puts("PASS");
}
