// Border addressing: outside the array the texture reads as zero.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void sample(cudaTextureObject_t texture, float2* out) {
  int x = threadIdx.x - 3, y = threadIdx.y - 3;
  out[threadIdx.y * 10 + threadIdx.x] = tex2D<float2>(texture, x + 0.5f, y + 0.5f);
}

int main() {
  const int size = 4;
  float2 pixels[size][size], got[100];
  for (int i = 0; i < size * size; ++i) pixels[i / size][i % size] = make_float2(i + 1, -i - 0.5f);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, size, size);
  cudaMemcpy2DToArray(array, 0, 0, pixels, sizeof(pixels[0]), sizeof(pixels[0]), size,
                      cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
  description.filterMode = cudaFilterModePoint;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  float2* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemset(out, 0xff, sizeof(got));
  sample<<<1, dim3(10, 10)>>>(texture, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 100; ++i) {
    int x = i % 10 - 3, y = i / 10 - 3;
    bool inside = x >= 0 && x < size && y >= 0 && y < size;
    if (got[i].x != (inside ? pixels[y][x].x : 0.0f))
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i].x, (inside ? pixels[y][x].x : 0.0f)), 1;
    if (got[i].y != (inside ? pixels[y][x].y : 0.0f))
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i].y, (inside ? pixels[y][x].y : 0.0f)), 1;
  }
  std::puts("PASS");
}
