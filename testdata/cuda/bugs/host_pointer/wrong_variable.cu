// The host's copy and the device's differ by one letter at the launch.
#include <cstdio>
#include <cstdlib>

__global__ void scale(const float* in, float* out, int n) {  // finds: host_pointer
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2.0f * in[i];  // or: host_pointer
}

int main() {
  const int n = 1 << 10;
  float* h_in = static_cast<float*>(calloc(n, sizeof(float)));
  float *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, h_in, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<n / 128, 128>>>(h_in, d_out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  free(h_in);
  return 0;
}
