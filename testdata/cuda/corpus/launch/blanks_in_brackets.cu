// Aimed at: blanks inside the brackets of a launch, as formatters that do not know CUDA leave them.
#include <cstdio>

__global__ void add(int* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] += n;
}

int main() {
  int *x, n = 64;
  cudaMallocManaged(&x, n * sizeof(int));
  for (int i = 0; i < n; ++i) x[i] = i;
  // clang-format off
  add << < 1, n >> > (x, n);
  add << <(n >> 6), dim3(n >> 1) >> >(x, n >> 1);
  // clang-format on
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    const int want = i + n + (i < n / 2 ? n / 2 : 0);
    if (x[i] == want) continue;
    printf("FAIL at %d: %d instead of %d\n", i, x[i], want);
    return 1;
  }
  printf("PASS\n");
}
