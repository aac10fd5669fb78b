// Loops that the threads of a block leave at different times, behind guards that leave whole threads out: strides over a grid and a
// block, a triangle, a sum, down to lengths below a block.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void grid_stride(unsigned char* bytes, float* floats, const float* in, int n) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    bytes[i] = static_cast<unsigned char>(in[i]);
    floats[i] = in[i] * 2 + 1;
  }
}

__global__ void row_sums(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < columns; ++c) sum += in[c * rows + row];
  out[row] = sum;
}

__global__ void triangle(const float* in, float* out, int n) {
  float sum = 0;
  int rounds = 0;
  for (int i = threadIdx.x; i < n; ++i, ++rounds) sum += in[i];
  out[threadIdx.x] = sum + 1000 * rounds;
}

__global__ void backward(float* out, const float* in, int n) {
  const float* from = in + n - 1 - threadIdx.x;
  for (int i = n - 1 - static_cast<int>(threadIdx.x); i >= 0; i -= blockDim.x, from -= blockDim.x)
    out[i] = *from - i;
}

int failures = 0;

void expect(float got, float want, const char* what, int n, int i) {
  if (got != want && failures++ < 5)
    std::printf("FAIL %s n=%d [%d] got %g, wanted %g\n", what, n, i, got, want);
}

int main() {
  const int most = 5000;
  float *in, *out;
  unsigned char* bytes;
  cudaMallocManaged(&in, most * sizeof(float));
  cudaMallocManaged(&out, most * sizeof(float));
  cudaMallocManaged(&bytes, most);
  for (int i = 0; i < most; ++i) in[i] = static_cast<float>(i * 37 % 101);
  for (int n : {0, 1, 31, 33, 127, 128, 129, 1000, 4999}) {
    for (int i = 0; i < most; ++i) out[i] = -5, bytes[i] = 77;
    grid_stride<<<3, 128>>>(bytes, out, in, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < most; ++i) {
      expect(out[i], i < n ? in[i] * 2 + 1 : -5, "grid_stride", n, i);
      expect(bytes[i], i < n ? in[i] : 77, "bytes", n, i);
    }
    for (int i = 0; i < most; ++i) out[i] = -5;
    if (n > 0) {
      backward<<<1, 96>>>(out, in, n);
      cudaDeviceSynchronize();
      for (int i = 0; i < most; ++i) expect(out[i], i < n ? in[i] - i : -5, "backward", n, i);
    }
    triangle<<<1, 200>>>(in, out, n);
    cudaDeviceSynchronize();
    for (int t = 0; t < 200; ++t) {
      float want = 0;
      for (int i = t; i < n; ++i) want += in[i];
      expect(out[t], want + 1000 * (n > t ? n - t : 0), "triangle", n, t);
    }
  }
  for (int rows : {1, 63, 64, 65, 130}) {
    for (int i = 0; i < most; ++i) out[i] = -5;
    row_sums<<<3, 64>>>(in, out, rows, 30);
    cudaDeviceSynchronize();
    for (int r = 0; r < 200; ++r) {
      float want = 0;
      for (int c = 0; c < 30 && r < rows; ++c) want += in[c * rows + r];
      expect(out[r], r < rows ? want : -5, "row_sums", rows, r);
    }
  }
  if (failures == 0) std::puts("PASS");
  return failures != 0;
}
