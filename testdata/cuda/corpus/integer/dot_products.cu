// __dp4a signed and unsigned, __dp2a_lo and __dp2a_hi.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void dot(const int* in, int* out) {
  int a = in[threadIdx.x], b = in[(threadIdx.x + 1) % 16];
  out[threadIdx.x * 4] = __dp4a(a, b, 1000);
  out[threadIdx.x * 4 + 1] = static_cast<int>(__dp4a(static_cast<unsigned>(a), static_cast<unsigned>(b), 7u));
  out[threadIdx.x * 4 + 2] = __dp2a_lo(a, b, -5);
  out[threadIdx.x * 4 + 3] = __dp2a_hi(a, b, -5);
}

static int signed_byte(int word, int i) { return static_cast<signed char>(word >> 8 * i); }
static int byte(int word, int i) { return word >> 8 * i & 255; }

int main() {
  int values[16], got[64] = {};
  for (int i = 0; i < 16; ++i) values[i] = static_cast<int>((i + 1) * 2654435761u);
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  dot<<<1, 16>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 16; ++t) {
    int a = values[t], b = values[(t + 1) % 16], want[4] = {1000, 7, -5, -5};
    for (int i = 0; i < 4; ++i) {
      want[0] += signed_byte(a, i) * signed_byte(b, i);
      want[1] += byte(a, i) * byte(b, i);
      want[2 + i / 2] += static_cast<short>(a >> 16 * (i % 2)) * signed_byte(b, i);
    }
    for (int i = 0; i < 4; ++i)
      if (got[t * 4 + i] != want[i])
        return std::printf("FAIL [%d] got %d, wanted %d\n", t * 4 + i, got[t * 4 + i], want[i]), 1;
  }
  std::puts("PASS");
}
