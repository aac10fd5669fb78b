// cuRAND's Philox4x32-10 on the device against the generator written out on the host: seed, subsequence and
// offset.
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <cstdio>

constexpr int kThreads = 64, kNumbers = 9;

__global__ void draw(unsigned* out) {
  curandStatePhilox4_32_10_t state;
  curand_init(0x123456789abcdefull, threadIdx.x, threadIdx.x % 7, &state);
  for (int i = 0; i < kNumbers; ++i) out[threadIdx.x * kNumbers + i] = curand(&state);
}

static unsigned expected(unsigned long long seed, unsigned subsequence, unsigned position) {
  unsigned c[4] = {position / 4, 0, subsequence, 0};
  unsigned k[2] = {(unsigned)seed, (unsigned)(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * c[0], b = 0xcd9e8d57ull * c[2];
    const unsigned next[4] = {(unsigned)(b >> 32) ^ c[1] ^ k[0], (unsigned)b,
                              (unsigned)(a >> 32) ^ c[3] ^ k[1], (unsigned)a};
    for (int i = 0; i < 4; ++i) c[i] = next[i];
    k[0] += 0x9e3779b9u;
    k[1] += 0xbb67ae85u;
  }
  return c[position % 4];
}

int main() {
  unsigned* device = nullptr;
  static unsigned got[kThreads * kNumbers];
  cudaMalloc(&device, sizeof got);
  draw<<<1, kThreads>>>(device);
  cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost);
  for (int t = 0; t < kThreads; ++t) {
    for (int i = 0; i < kNumbers; ++i) {
      const unsigned want = expected(0x123456789abcdefull, t, t % 7 + i);
      if (got[t * kNumbers + i] != want)
        return std::printf("FAIL thread %d number %d: got %u, wanted %u\n", t, i, got[t * kNumbers + i],
                           want),
               1;
    }
  }
  std::puts("PASS");
}
