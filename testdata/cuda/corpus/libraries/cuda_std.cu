// libcu++ in kernels: cuda::std's array, tuple, optional, limits, bit and span.
// needs: CCCL
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>

#include <cstdio>

__device__ cuda::std::optional<int> half_of(int x) {
  if (x % 2 != 0) return cuda::std::nullopt;
  return x / 2;
}

__global__ void work(int* out) {
  const int t = threadIdx.x;
  const cuda::std::array<int, 4> squares{0, 1, 4, 9};
  const auto [quotient, rest] = cuda::std::make_tuple(t / 4, t % 4);
  const cuda::std::span<int> row(out + 4 * t, 4);
  row[0] = squares[rest] + quotient;
  row[1] = half_of(t).value_or(-1);
  row[2] =
      cuda::std::popcount(static_cast<unsigned>(t)) * 100 + cuda::std::countl_zero(static_cast<unsigned>(t));
  row[3] = cuda::std::numeric_limits<int>::max() - t;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 128 * 4 * sizeof(int));
  work<<<1, 128>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  for (int t = 0; t < 128; ++t) {
    int ones = 0, zeros = 32;
    for (int bit = 0; bit < 32; ++bit)
      if (t >> bit & 1) ++ones, zeros = 31 - bit;
    const int wanted[] = {t % 4 * (t % 4) + t / 4, t % 2 ? -1 : t / 2, ones * 100 + zeros, 2147483647 - t};
    for (int i = 0; i < 4; ++i)
      if (out[4 * t + i] != wanted[i])
        return std::printf("FAIL [%d][%d] %d, wanted %d\n", t, i, out[4 * t + i], wanted[i]), 1;
  }
  std::puts("PASS");
}
