// Surfaces: surf2Dread and surf2Dwrite with byte offsets in x, then a texture read of the same array.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void paint(cudaSurfaceObject_t surface) {
  float old;
  surf2Dread(&old, surface, threadIdx.x * static_cast<int>(sizeof(float)), threadIdx.y);
  surf2Dwrite(old * 10 + 1, surface, threadIdx.x * static_cast<int>(sizeof(float)), threadIdx.y);
}

__global__ void sample(cudaTextureObject_t texture, float* out) {
  out[threadIdx.y * 8 + threadIdx.x] = tex2D<float>(texture, threadIdx.x, threadIdx.y);
}

int main() {
  float pixels[4][8], got[32] = {};
  for (int i = 0; i < 32; ++i) pixels[i / 8][i % 8] = i;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(array, 0, 0, pixels, sizeof(pixels[0]), sizeof(pixels[0]), 4, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess) return std::puts("FAIL surface"), 1;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  float* out;
  cudaMalloc(&out, sizeof(got));
  paint<<<1, dim3(8, 4)>>>(surface);
  sample<<<1, dim3(8, 4)>>>(texture, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    if (got[i] != i * 10.0f + 1)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], i * 10.0f + 1), 1;
  cudaMemcpy2DFromArray(got, sizeof(pixels[0]), array, 0, 0, sizeof(pixels[0]), 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    if (got[i] != i * 10.0f + 1)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], i * 10.0f + 1), 1;
  std::puts("PASS");
}
