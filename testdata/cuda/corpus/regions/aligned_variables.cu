// Variables of each thread that live across barriers, in sizes that are no multiple of their alignment: every thread's is aligned, and
// its own.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

struct alignas(16) Odd {
  float first;
  unsigned char rest[16];
};

// Read back, because a compiler knows what it promised.
__device__ unsigned remainder_of(const void* address, unsigned alignment) {
  volatile uintptr_t place = reinterpret_cast<uintptr_t>(address);
  return static_cast<unsigned>(place % alignment);
}

__device__ void fill(unsigned char* bytes, int count, int value) {
  for (int i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(value + i);
}

__global__ void keep(unsigned* out, const unsigned* chosen) {
  alignas(16) unsigned char bytes[20];
  alignas(8) unsigned char few[3];
  const unsigned* pointers[5];
  double numbers[3];
  Odd odd;
  const int t = threadIdx.x;
  fill(bytes, 20, t);
  fill(few, 3, t * 2);
  fill(odd.rest, 16, t * 3);
  odd.first = t;
  for (int i = 0; i < 5; ++i) pointers[i] = chosen + (t + i) % 64;
  for (int i = 0; i < 3; ++i) numbers[i] = t * 10 + i;
  __syncthreads();
  const unsigned which = chosen[t];  // so that the arrays stay in memory
  const unsigned misplaced =
      remainder_of(bytes, 16) + remainder_of(few, 8) + remainder_of(numbers, 8) + remainder_of(&odd, 16);
  fill(few, 1, t * 2 + 1);
  __syncthreads();
  out[t] = misplaced * 1000000 + bytes[which % 20] + few[which % 3] + *pointers[which % 5] +
           static_cast<unsigned>(numbers[which % 3]) + odd.rest[which % 16] +
           static_cast<unsigned>(odd.first);
}

int main() {
  unsigned *out, *chosen;
  cudaMallocManaged(&out, 64 * sizeof(unsigned));
  cudaMallocManaged(&chosen, 64 * sizeof(unsigned));
  for (int t = 0; t < 64; ++t) out[t] = 7, chosen[t] = t * 29 % 61;
  keep<<<1, 64>>>(out, chosen);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::printf("FAIL launch\n"), 1;
  for (unsigned t = 0; t < 64; ++t) {
    const unsigned which = t * 29 % 61;
    unsigned want =
        static_cast<unsigned char>(t + which % 20) + static_cast<unsigned char>(t * 2 + which % 3);
    if (which % 3 == 0) want += 1;
    want += (t + which % 5) % 64 * 29 % 61 + t * 10 + which % 3 +
            static_cast<unsigned char>(t * 3 + which % 16) + t;
    if (out[t] != want) return std::printf("FAIL [%u] %u, wanted %u\n", t, out[t], want), 1;
  }
  std::printf("PASS\n");
}
