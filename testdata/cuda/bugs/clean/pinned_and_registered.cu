// Pinned memory and registered memory of the host may be used by kernels.
#include <cstdio>
#include <cstdlib>

__global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

int main() {
  int *pinned, *device_view;
  cudaHostAlloc(&pinned, 32 * sizeof(int), cudaHostAllocMapped);
  int* plain = static_cast<int*>(aligned_alloc(4096, 4096));
  cudaHostRegister(plain, 4096, cudaHostRegisterMapped);
  for (int i = 0; i < 32; ++i) pinned[i] = i;
  cudaHostGetDevicePointer(&device_view, plain, 0);
  twice<<<1, 32>>>(pinned, device_view);
  cudaDeviceSynchronize();
  const int first = plain[0], last = plain[31];
  cudaHostUnregister(plain);
  free(plain);
  cudaFreeHost(pinned);
  printf("%d %d\n", first, last);
  return first != 0 || last != 62;
}
