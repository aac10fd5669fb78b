// Attributes of a stream: an access-policy window and a synchronization policy, set, read back and copied.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void triple(int* values) { values[threadIdx.x] *= 3; }

int main() {
  int device = 0, largest = 0;
  cudaDeviceGetAttribute(&largest, cudaDevAttrMaxAccessPolicyWindowSize, device);
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  int* values;
  cudaMallocManaged(&values, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) values[i] = i;
  cudaStreamAttrValue set = {}, got = {};
  set.accessPolicyWindow.base_ptr = values;
  set.accessPolicyWindow.num_bytes = largest > 0 ? 32 * sizeof(int) : 0;
  set.accessPolicyWindow.hitRatio = 0.5f;
  set.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  set.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  if (cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &set) != cudaSuccess ||
      cudaStreamCopyAttributes(other, stream) != cudaSuccess ||
      cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &got) != cudaSuccess ||
      got.accessPolicyWindow.hitRatio != 0.5f ||
      got.accessPolicyWindow.hitProp != cudaAccessPropertyPersisting ||
      cudaCtxResetPersistingL2Cache() != cudaSuccess)
    return std::puts("FAIL window"), 1;
  triple<<<1, 32, 0, other>>>(values);
  cudaStreamSynchronize(other);
  for (int i = 0; i < 32; ++i)
    if (values[i] != 3 * i) return std::printf("FAIL [%d] %d\n", i, values[i]), 1;
  std::puts("PASS");
}
