// A three-point stencil guards its left edge and forgets the right one.
#include <cstdio>
#include <vector>

__global__ void smooth(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? in[i - 1] : 0.0f;
  const float right = in[i + 1];  // finds: out_of_bounds
  out[i] = (left + in[i] + right) / 3.0f;
}

int main() {
  const int n = 256;
  std::vector<float> values(n, 1.0f);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  smooth<<<2, 128>>>(in, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
