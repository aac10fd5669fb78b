// tex1Dfetch from linear memory, int and float4 elements.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void gather(cudaTextureObject_t numbers, cudaTextureObject_t quads, const int* where, float* out) {
  int i = where[threadIdx.x];
  float4 quad = tex1Dfetch<float4>(quads, i / 4);
  out[threadIdx.x] = tex1Dfetch<int>(numbers, i) + quad.x * 0.5f + quad.w;
}

static cudaTextureObject_t view(void* memory, size_t bytes, cudaChannelFormatDesc format) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}

int main() {
  int numbers[256], where[100];
  float quads[256], got[100] = {};
  for (int i = 0; i < 256; ++i) numbers[i] = i * 1000, quads[i] = i;
  for (int i = 0; i < 100; ++i) where[i] = i * 37 % 256;
  int* device_numbers;
  cudaMalloc(&device_numbers, sizeof(numbers));
  float* device_quads;
  cudaMalloc(&device_quads, sizeof(quads));
  int* device_where;
  cudaMalloc(&device_where, sizeof(where));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(device_numbers, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
  cudaMemcpy(device_quads, quads, sizeof(quads), cudaMemcpyHostToDevice);
  cudaMemcpy(device_where, where, sizeof(where), cudaMemcpyHostToDevice);
  gather<<<1, 100>>>(view(device_numbers, sizeof(numbers), cudaCreateChannelDesc<int>()),
                     view(device_quads, sizeof(quads), cudaCreateChannelDesc<float4>()), device_where, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 100; ++i) {
    int first = where[i] / 4 * 4;
    if (got[i] != where[i] * 1000 + first * 0.5f + first + 3)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i],
                         where[i] * 1000 + first * 0.5f + first + 3),
             1;
  }
  std::puts("PASS");
}
