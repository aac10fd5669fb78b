// The left halo of a dynamic tile is loaded by thread 0; nobody loads the right one.
#include <cstdio>

__global__ void smooth(const float* in, float* out) {
  extern __shared__ float tile[];
  const int t = threadIdx.x;
  tile[t + 1] = in[t];
  if (t == 0) tile[0] = 0.0f;
  __syncthreads();
  const float left = tile[t] + tile[t + 1];
  out[t] = left + tile[t + 2];  // finds: uninitialised_read
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  smooth<<<1, 64, 66 * sizeof(float)>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
