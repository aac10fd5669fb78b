// Linear filtering between pixel centres, weights of 8 bits, clamp addressing.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void sample(cudaTextureObject_t texture, float* out) {
  out[threadIdx.y * 20 + threadIdx.x] =
      tex2D<float>(texture, threadIdx.x * 0.375f - 1, threadIdx.y * 0.375f - 1);
}

int main() {
  const int size = 5;
  float pixels[size][size], got[400] = {};
  for (int i = 0; i < size * size; ++i) pixels[i / size][i % size] = i * 7 % 11;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, size, size);
  cudaMemcpy2DToArray(array, 0, 0, pixels, sizeof(pixels[0]), sizeof(pixels[0]), size,
                      cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  float* out;
  cudaMalloc(&out, sizeof(got));
  sample<<<1, dim3(20, 20)>>>(texture, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  auto pixel = [&](int x, int y) {
    x = x < 0 ? 0 : x >= size ? size - 1 : x;
    y = y < 0 ? 0 : y >= size ? size - 1 : y;
    return pixels[y][x];
  };
  for (int i = 0; i < 400; ++i) {
    float x = i % 20 * 0.375f - 1.5f, y = i / 20 * 0.375f - 1.5f, a = x - std::floor(x),
          b = y - std::floor(y);
    int left = std::floor(x), top = std::floor(y);
    float want = (1 - a) * (1 - b) * pixel(left, top) + a * (1 - b) * pixel(left + 1, top) +
                 (1 - a) * b * pixel(left, top + 1) + a * b * pixel(left + 1, top + 1);
    if (!(std::fabs(got[i] - want) <= 0.05))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i]), double(want)), 1;
  }
  std::puts("PASS");
}
