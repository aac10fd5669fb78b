// Texture from an array: point filter, clamp addressing, pixel coordinates inside and outside.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void sample(cudaTextureObject_t texture, float* out) {
  int x = threadIdx.x - 4, y = threadIdx.y - 4;
  out[threadIdx.y * 16 + threadIdx.x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}

int main() {
  const int width = 8, height = 6;
  float pixels[height][width], got[256] = {};
  for (int i = 0; i < width * height; ++i) pixels[i / width][i % width] = i * 1.5f;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, width, height);
  cudaMemcpy2DToArray(array, 0, 0, pixels, sizeof(pixels[0]), sizeof(pixels[0]), height,
                      cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModePoint;
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess)
    return std::puts("FAIL texture"), 1;
  float* out;
  cudaMalloc(&out, sizeof(got));
  sample<<<1, dim3(16, 16)>>>(texture, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i) {
    int x = i % 16 - 4, y = i / 16 - 4;
    x = x < 0 ? 0 : x >= width ? width - 1 : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    if (got[i] != pixels[y][x])
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], pixels[y][x]), 1;
  }
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  std::puts("PASS");
}
