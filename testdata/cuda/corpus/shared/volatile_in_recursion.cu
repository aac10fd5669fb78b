// Volatile shared memory in a function that calls itself and in one that is called through a pointer.
#include <cstdio>

__device__ __noinline__ int count_down(volatile int* slot, int from) {
  *slot = *slot + from;
  return from > 0 ? count_down(slot, from - 1) : *slot;
}

__device__ void twice(volatile int* slot) { *slot = 2 * *slot; }
__device__ void thrice(volatile int* slot) { *slot = 3 * *slot; }

__global__ void compute(const int* in, int* out, int odd) {
  __shared__ int slots[64];
  const int t = threadIdx.x;
  slots[t] = in[t];
  count_down(&slots[t], t % 5);
  void (*change)(volatile int*) = (t & odd) != 0 ? thrice : twice;
  change(&slots[t]);
  out[t] = slots[t];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) in[i] = i * 11 % 17, out[i] = -1;
  compute<<<1, 64>>>(in, out, 1);
  if (cudaError_t error = cudaDeviceSynchronize()) return printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  for (int i = 0; i < 64; ++i) {
    const int steps = i % 5, wanted = (in[i] + steps * (steps + 1) / 2) * (i % 2 == 1 ? 3 : 2);
    if (out[i] != wanted) return printf("FAIL [%d] got %d, wanted %d\n", i, out[i], wanted), 1;
  }
  puts("PASS");
}
