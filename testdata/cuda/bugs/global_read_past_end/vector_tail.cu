// Vector loads of four floats where the length is no multiple of four: the last load reaches over the end.
#include <cstdio>
#include <vector>

__global__ void sum4(const float* in, float* sums, int n) {
  const int i = threadIdx.x;
  if (4 * i < n) {
    const float4 v = reinterpret_cast<const float4*>(in)[i];  // finds: out_of_bounds
    sums[i] = v.x + v.y + v.z + v.w;
  }
}

int main() {
  const int n = 126;
  std::vector<float> values(n, 0.5f);
  float *in, *sums;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&sums, 32 * sizeof(float));
  cudaMemcpy(in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum4<<<1, 32>>>(in, sums, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
