// Unsigned wrap-around, and char, short and bool: promotion, truncation, sign extension.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void compute(const int* in, int* out) {
  int value = in[threadIdx.x];
  unsigned char byte = static_cast<unsigned char>(value);
  signed char small = static_cast<signed char>(value);
  short medium = static_cast<short>(value);
  unsigned short unsigned_medium = static_cast<unsigned short>(value);
  bool truth = value;
  byte += 200;
  small = static_cast<signed char>(small * 3);
  unsigned_medium = static_cast<unsigned short>(1u * unsigned_medium * unsigned_medium);
  int results[7] = {byte,          small,
                    medium >> 3,   unsigned_medium,
                    truth + truth, static_cast<int>(static_cast<unsigned>(value) * 2654435761u),
                    ~small};
  for (int i = 0; i < 7; ++i) out[threadIdx.x * 7 + i] = results[i];
}

int main() {
  int values[8] = {0, 1, -1, 127, 128, 300, -32769, 40000}, got[56] = {};
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 8>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 8; ++t) {
    long long v = values[t], byte = ((v + 200) % 256 + 256) % 256;
    long long small = ((v * 3 + 128) % 256 + 256) % 256 - 128,
              medium = ((v + 32768) % 65536 + 65536) % 65536 - 32768;
    long long word = (v % 65536 + 65536) % 65536;
    long long want[7] = {byte,
                         small,
                         medium >= 0 ? medium / 8 : -((-medium + 7) / 8),
                         word * word % 65536,
                         v ? 2 : 0,
                         static_cast<int>(static_cast<unsigned long long>(v) * 2654435761ull % 4294967296ull),
                         -small - 1};
    for (int i = 0; i < 7; ++i)
      if (got[t * 7 + i] != static_cast<int>(want[i]))
        return std::printf("FAIL [%d] got %d, wanted %d\n", t * 7 + i, got[t * 7 + i],
                           static_cast<int>(want[i])),
               1;
  }
  std::puts("PASS");
}
