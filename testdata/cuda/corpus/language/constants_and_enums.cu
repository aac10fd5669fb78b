// constexpr variables and functions, enum classes, static const tables and string literals in device code.
#include <cuda_runtime.h>

#include <cstdio>

enum class Colour : unsigned char { kRed = 3, kGreen = 5, kBlue = 250 };

constexpr int kLimit = 12;
__host__ __device__ constexpr int triangle(int n) { return n == 0 ? 0 : n + triangle(n - 1); }

__device__ int length(const char* text) {
  int n = 0;
  while (text[n]) ++n;
  return n;
}

__global__ void compute(Colour colour, int* out) {
  static const int offsets[4] = {10, 20, 30, 40};
  const char* names[3] = {"red", "green!", "blue..."};
  constexpr int area = triangle(kLimit);
  int cells[triangle(3)] = {};
  int index = colour == Colour::kRed ? 0 : colour == Colour::kGreen ? 1 : 2;
  out[threadIdx.x] = offsets[threadIdx.x % 4] + area * 1000 + length(names[index]) +
                     static_cast<int>(colour) + static_cast<int>(sizeof(cells)) + cells[threadIdx.x % 6];
}

int main() {
  int got[8] = {}, names[3] = {3, 6, 7}, codes[3] = {3, 5, 250};
  int* out;
  cudaMalloc(&out, sizeof(got));
  for (int c = 0; c < 3; ++c) {
    compute<<<1, 8>>>(static_cast<Colour>(codes[c]), out);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i)
      if (got[i] != (i % 4 + 1) * 10 + 78000 + names[c] + codes[c] + 24)
        return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i],
                           (i % 4 + 1) * 10 + 78000 + names[c] + codes[c] + 24),
               1;
  }
  std::puts("PASS");
}
