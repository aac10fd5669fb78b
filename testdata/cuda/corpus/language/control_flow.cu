// Loops with break and continue, do-while, switch with fall-through, goto, divergent in every thread.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void compute(int* out) {
  int t = threadIdx.x, value = 0;
  for (int i = 0; i < 100; ++i) {
    if (i % 3 == t % 3) continue;
    if (i > t) break;
    value += i;
  }
  switch (t % 5) {
    case 0:
      value += 1000;
    case 1:
      value += 2000;
      break;
    case 2:
      goto out_of_here;
    default:
      do {
        value += 7;
      } while (value % 11);
  }
  value = -value;
out_of_here:
  out[t] = value;
}

int main() {
  int got[96] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  compute<<<1, 96>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 96; ++t) {
    int want = 0;
    for (int i = 0; i <= t; ++i) want += i % 3 == t % 3 ? 0 : i;
    int kind = t % 5;
    if (kind == 0) want += 3000;
    if (kind == 1) want += 2000;
    if (kind > 2) want += 7;
    while (kind > 2 && want % 11) want += 7;
    if (got[t] != (kind == 2 ? want : -want))
      return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[t], (kind == 2 ? want : -want)), 1;
  }
  std::puts("PASS");
}
