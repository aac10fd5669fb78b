// A two-dimensional tile, read one column left of its first row.
#include <cstdio>

__global__ void gradient(const float* in, float* out) {
  __shared__ float tile[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 16 + x];
  __syncthreads();
  const float* here = &tile[0][0] + y * 16 + x;
  out[y * 16 + x] = here[0] - here[-1];  // finds: out_of_bounds
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMemset(in, 0, 256 * sizeof(float));
  gradient<<<1, dim3(16, 16)>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
