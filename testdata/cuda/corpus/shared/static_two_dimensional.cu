// Static shared memory: a padded two-dimensional tile, read along the other dimension.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void transpose_tile(const float* in, float* out) {
  __shared__ float tile[16][17];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  float values[256], got[256] = {};
  for (int i = 0; i < 256; ++i) values[i] = i * 0.25f - 7;
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(values));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  transpose_tile<<<1, dim3(16, 16)>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i) {
    float want = values[i % 16 * 16 + i / 16];
    if (got[i] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
