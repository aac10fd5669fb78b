// A packed file format: a 4-byte header in front of doubles.
#include <cstdio>

__global__ void unpack(const unsigned char* bytes, double* out, int n) {
  const int i = threadIdx.x;
  const double* values = reinterpret_cast<const double*>(bytes + 4);
  if (i < n) out[i] = values[i];  // finds: misaligned
}

int main() {
  const int n = 30;
  unsigned char* bytes;
  double* out;
  cudaMalloc(&bytes, 4 + n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemset(bytes, 0, 4 + n * sizeof(double));
  unpack<<<1, 32>>>(bytes, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
