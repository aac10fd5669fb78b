// printf in device code: one thread, the usual formats; the host speaks after a synchronisation.
// expect: kernel: 42 -7 4000000000 3.500 1e+10
// expect: [   5] [5   ] [00005] 0xff % x
// expect: text of 3 parts, -1234567890123, 0.1
// expect: then the host
#include <cuda_runtime.h>

#include <cstdio>

__global__ void speak() {
  if (threadIdx.x != 3) return;
  printf("kernel: %d %i %u %.3f %g\n", 42, -7, 4000000000u, 3.5f, 1e10);
  printf("[%4d] [%-4d] [%05d] 0x%x %% %c\n", 5, 5, 5, 255, 'x');
  printf("%s of %d parts, %lld, %g\n", "text", 3, -1234567890123LL, 0.1);
}

int main() {
  speak<<<1, 32>>>();
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  std::puts("then the host");
}
