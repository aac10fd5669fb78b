// Three arrays of different types carved out of dynamic shared memory, each start rounded up, the last byte
// used.
#include <cstdio>

__global__ void carve(double* out, int chars, int n) {
  extern __shared__ __align__(8) unsigned char memory[];
  unsigned char* flags = memory;
  short* shorts = reinterpret_cast<short*>(memory + (chars + 1) / 2 * 2);
  double* doubles = reinterpret_cast<double*>(memory + ((chars + 1) / 2 * 2 + n * sizeof(short) + 7) / 8 * 8);
  const int t = threadIdx.x;
  if (t < chars) flags[t] = 1;
  shorts[t] = static_cast<short>(2 * t);
  doubles[t] = 0.25 * t;
  __syncthreads();
  out[t] = flags[(t + 1) % chars] + shorts[n - 1 - t] + doubles[n - 1 - t];
}

int main() {
  const int chars = 13, n = 50;
  double result[n];
  double* out;
  cudaMalloc(&out, sizeof(result));
  const size_t bytes = (14 + n * sizeof(short) + 7) / 8 * 8 + n * sizeof(double);
  carve<<<1, n, bytes>>>(out, chars, n);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%g\n", result[0]);
  return result[0] != 1 + 98 + 12.25 || result[49] != 1;
}
