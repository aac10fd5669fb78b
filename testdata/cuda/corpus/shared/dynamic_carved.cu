// Dynamic shared memory carved into three arrays of different types.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void carve(double* out) {
  extern __shared__ __align__(16) unsigned char memory[];
  int n = blockDim.x;
  double* reals = reinterpret_cast<double*>(memory);
  int* numbers = reinterpret_cast<int*>(reals + n);
  char* letters = reinterpret_cast<char*>(numbers + n);
  int i = threadIdx.x;
  reals[i] = i / 4.0;
  numbers[i] = 100 * i;
  letters[i] = static_cast<char>(i % 50);
  __syncthreads();
  int j = (i + 1) % n;
  out[i] = reals[j] + numbers[j] + letters[j];
}

int main() {
  double got[200] = {};
  double* out;
  cudaMalloc(&out, sizeof(got));
  carve<<<1, 200, 200 * (sizeof(double) + sizeof(int) + 1)>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 200; ++i) {
    int j = (i + 1) % 200;
    double want = j / 4.0 + 100 * j + j % 50;
    if (got[i] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
