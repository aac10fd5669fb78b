// __sad, __usad, __hadd, __rhadd, __uhadd, __urhadd: no overflow in the middle.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void compute(const int* in, int* out) {
  int a = in[threadIdx.x], b = in[(threadIdx.x + 2) % 7];
  unsigned ua = static_cast<unsigned>(a), ub = static_cast<unsigned>(b);
  int results[6] = {__hadd(a, b),
                    __rhadd(a, b),
                    static_cast<int>(__uhadd(ua, ub)),
                    static_cast<int>(__urhadd(ua, ub)),
                    static_cast<int>(__sad(a / 4, b / 4, 10u)),
                    static_cast<int>(__usad(ua, ub, 10u))};
  for (int i = 0; i < 6; ++i) out[threadIdx.x * 6 + i] = results[i];
}

int main() {
  int values[7] = {0x7fffffff, 0x7ffffffe, -0x7fffffff - 1, -1, 5, -6, 1000000}, got[42] = {};
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 7>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 7; ++t) {
    long long a = values[t], b = values[(t + 2) % 7], ua = static_cast<unsigned>(a),
              ub = static_cast<unsigned>(b);
    long long gap = a / 4 > b / 4 ? a / 4 - b / 4 : b / 4 - a / 4, ugap = ua > ub ? ua - ub : ub - ua;
    long long want[6] = {(a + b) >> 1,       (a + b + 1) >> 1, (ua + ub) >> 1,
                         (ua + ub + 1) >> 1, gap + 10,         ugap + 10};
    for (int i = 0; i < 6; ++i)
      if (got[t * 6 + i] != static_cast<int>(want[i]))
        return std::printf("FAIL [%d] got %d, wanted %d\n", t * 6 + i, got[t * 6 + i],
                           static_cast<int>(want[i])),
               1;
  }
  std::puts("PASS");
}
