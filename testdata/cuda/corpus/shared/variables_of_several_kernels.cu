// Static shared variables that some kernels have alone and others in common, through device functions, beside dynamic ones.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int* first_table() {
  __shared__ int table[40];
  return table;
}
__device__ int* second_table() {
  __shared__ int table[72];
  return table;
}
__device__ double* third_table() {
  __shared__ double table[64];
  return table;
}

__device__ unsigned sum_of(const int* table, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 3 + table[i];
  return sum;
}

template <bool kFirst, bool kSecond, bool kThird>
__global__ void fill(unsigned* out) {
  extern __shared__ int more[];
  __shared__ char own[17 + 8 * kFirst];
  const int t = threadIdx.x;
  if (kFirst && t < 40) first_table()[t] = 100 + t;
  if (kSecond) second_table()[t] = 1000 + t;
  if (kThird) third_table()[t] = t * 0.5;
  if (t < 17) own[t] = static_cast<char>(t + 3);
  more[t] = 7 * t;
  __syncthreads();
  if (t != 0) return;
  unsigned sum = kFirst ? sum_of(first_table(), 40) : 1;
  sum = sum * 5 + (kSecond ? sum_of(second_table(), 64) : 2);
  for (int i = 0; kThird && i < 64; ++i) sum += static_cast<unsigned>(third_table()[i] * 2);
  for (int i = 0; i < 17; ++i) sum = sum * 7 + own[i];
  *out = sum * 11 + sum_of(more, 64);
}

unsigned want_of(bool first, bool second, bool third) {
  unsigned a = 0, b = 0, more = 0, sum;
  for (unsigned i = 0; i < 40; ++i) a = a * 3 + 100 + i;
  for (unsigned i = 0; i < 64; ++i) b = b * 3 + 1000 + i;
  for (unsigned i = 0; i < 64; ++i) more = more * 3 + 7 * i;
  sum = (first ? a : 1) * 5 + (second ? b : 2) + (third ? 63 * 32 : 0);
  for (unsigned i = 0; i < 17; ++i) sum = sum * 7 + i + 3;
  return sum * 11 + more;
}

template <bool kFirst, bool kSecond, bool kThird>
bool is_right(unsigned* out) {
  unsigned got = 0;
  fill<kFirst, kSecond, kThird><<<1, 64, 64 * sizeof(int)>>>(out);
  cudaMemcpy(&got, out, sizeof(unsigned), cudaMemcpyDeviceToHost);
  return got == want_of(kFirst, kSecond, kThird);
}

int main() {
  unsigned* out;
  cudaMalloc(&out, sizeof(unsigned));
  const bool all = is_right<true, false, false>(out) && is_right<false, true, false>(out) &&
                   is_right<false, false, true>(out) && is_right<true, true, false>(out) &&
                   is_right<false, true, true>(out) && is_right<true, false, true>(out) &&
                   is_right<true, true, true>(out) && is_right<false, false, false>(out);
  std::puts(all ? "PASS" : "FAIL");
  return all ? 0 : 1;
}
