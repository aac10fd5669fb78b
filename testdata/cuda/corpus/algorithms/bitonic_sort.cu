// Bitonic sort of 1024 keys with their values in shared memory.
#include <cuda_runtime.h>
#include <algorithm>
#include <vector>

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void sort(unsigned* keys, int* payload) {
  __shared__ unsigned key[1024];
  __shared__ int load[1024];
  int t = threadIdx.x;
  key[t] = keys[t];
  load[t] = payload[t];
  for (int size = 2; size <= 1024; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int partner = t ^ stride;
      if (partner > t && (key[t] > key[partner]) == ((t & size) == 0)) {
        unsigned k = key[t];
        int l = load[t];
        key[t] = key[partner];
        load[t] = load[partner];
        key[partner] = k;
        load[partner] = l;
      }
    }
  }
  __syncthreads();
  keys[t] = key[t];
  payload[t] = load[t];
}

int main() {
  static unsigned keys[1024], original[1024];
  static int payload[1024];
  for (unsigned i = 0; i < 1024; ++i)
    original[i] = keys[i] = (i + 1) * 2654435761u, payload[i] = i;  // all different
  unsigned* device_keys;
  cudaMalloc(&device_keys, sizeof(keys));
  int* device_payload;
  cudaMalloc(&device_payload, sizeof(payload));
  cudaMemcpy(device_keys, keys, sizeof(keys), cudaMemcpyHostToDevice);
  cudaMemcpy(device_payload, payload, sizeof(payload), cudaMemcpyHostToDevice);
  sort<<<1, 1024>>>(device_keys, device_payload);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(keys, device_keys, sizeof(keys), cudaMemcpyDeviceToHost);
  cudaMemcpy(payload, device_payload, sizeof(payload), cudaMemcpyDeviceToHost);
  std::vector<unsigned> want(original, original + 1024);
  std::sort(want.begin(), want.end());
  for (int i = 0; i < 1024; ++i) {
    if (keys[i] != want[i]) return std::printf("FAIL [%d] got %u, wanted %u\n", i, keys[i], want[i]), 1;
    if (original[payload[i]] != keys[i])
      return std::printf("FAIL [%d] got %u, wanted %u\n", i, original[payload[i]], keys[i]), 1;
  }
  std::puts("PASS");
}
