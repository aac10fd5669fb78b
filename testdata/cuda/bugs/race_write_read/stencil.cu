// A stencil: each thread loads its own element and reads its neighbours' at once.
#include <cstdio>

__global__ void smooth(const float* in, float* out) {
  __shared__ float tile[130];
  const int t = threadIdx.x;
  tile[t + 1] = in[t];                     // finds: shared_race
  if (t == 0) tile[0] = tile[129] = 0.0f;  // or: shared_race
  out[t] = tile[t] + tile[t + 2];          // or: shared_race; may: uninitialised_read
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 128 * sizeof(float));
  cudaMalloc(&out, 128 * sizeof(float));
  cudaMemset(in, 0, 128 * sizeof(float));
  smooth<<<1, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
