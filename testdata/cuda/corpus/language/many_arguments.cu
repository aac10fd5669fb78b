// Many arguments of mixed types and sizes arrive at their places.
#include <cuda_runtime.h>

#include <cstdio>

struct Odd {
  char letters[5];
};

__global__ void collect(bool a, char b, short c, int d, long long e, float f, double g, unsigned char h,
                        Odd i, unsigned short j, float4 k, const int* l, bool m, double n, char2 o,
                        unsigned long long p, float3 q, const void* unused, double* out) {
  double values[24] = {1.0 * a,
                       1.0 * b,
                       1.0 * c,
                       1.0 * d,
                       1.0 * e,
                       f,
                       g,
                       1.0 * h,
                       1.0 * i.letters[0],
                       1.0 * i.letters[4],
                       1.0 * j,
                       k.x,
                       k.w,
                       1.0 * l[1],
                       1.0 * m,
                       n,
                       1.0 * o.x,
                       1.0 * o.y,
                       1.0 * p,
                       q.x,
                       q.y,
                       q.z,
                       unused == nullptr ? 1.0 : 0.0,
                       99};
  for (int v = 0; v < 24; ++v) out[v] = values[v];
}

int main() {
  double got[24] = {}, want[24] = {1, -5, -300, 70000,  -5e12, 0.5, 0.125, 250, 'p', 'u', 65000, 1,
                                   4, 22, 0,    -1e300, -7,    8,   1e19,  10,  20,  30,  1,     99};
  int list[2] = {11, 22};
  int* l;
  cudaMalloc(&l, sizeof(list));
  double* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(l, list, sizeof(list), cudaMemcpyHostToDevice);
  collect<<<1, 1>>>(true, -5, -300, 70000, -5000000000000LL, 0.5f, 0.125, 250, Odd{{'p', 'q', 'r', 's', 'u'}},
                    65000, make_float4(1, 2, 3, 4), l, false, -1e300, make_char2(-7, 8),
                    10000000000000000000ull, make_float3(10, 20, 30), nullptr, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 24; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], want[i]), 1;
  std::puts("PASS");
}
