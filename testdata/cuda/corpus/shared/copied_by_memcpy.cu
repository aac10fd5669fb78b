// Aimed at: shared memory that memcpy, memmove and memset fill.
#include <cstdio>
#include <cstring>

constexpr int kThreads = 64;

__global__ void fill(const int* in, int* out, int bytes) {
  __shared__ alignas(16) int copied[kThreads * 4];
  __shared__ alignas(16) int moved[kThreads * 4];
  __shared__ int zeros[kThreads];
  const int t = threadIdx.x;
  memcpy(&copied[t * 4], &in[t * 4], 16);
  memmove(&moved[t * 4], &in[t * 4], bytes);
  memset(&zeros[t], 0, sizeof(int));
  __syncthreads();
  const int other = kThreads - 1 - t;
  for (int i = 0; i < 4; ++i)
    out[t * 4 + i] = copied[other * 4 + i] + 2 * moved[other * 4 + i] + zeros[other];
}

int main() {
  int host[kThreads * 4], result[kThreads * 4];
  for (int i = 0; i < kThreads * 4; ++i) host[i] = 7 * i + 1;
  int *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0xff, sizeof host);
  fill<<<1, kThreads>>>(in, out, 16);
  cudaMemcpy(result, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kThreads * 4; ++i) {
    const int want = 3 * host[(kThreads - 1 - i / 4) * 4 + i % 4];
    if (result[i] == want) continue;
    printf("FAIL at %d: %d instead of %d\n", i, result[i], want);
    return 1;
  }
  printf("PASS\n");
}
