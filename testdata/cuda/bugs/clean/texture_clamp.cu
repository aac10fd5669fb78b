// Texture reads outside of the image are clamped by the hardware, not out of bounds.
#include <cstdio>

__global__ void blur(cudaTextureObject_t image, float* out, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int dx = -2; dx <= 2; ++dx) sum += tex2D<float>(image, x + dx + 0.5f, y + 0.5f);
  out[y * width + x] = sum;
}

int main() {
  const int width = 16, height = 8;
  float host[height][width], result[height][width];
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) host[y][x] = static_cast<float>(x);
  }
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, width, height);
  cudaMemcpy2DToArray(array, 0, 0, host, sizeof(host[0]), sizeof(host[0]), height, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
  sampling.filterMode = cudaFilterModePoint;
  sampling.readMode = cudaReadModeElementType;
  cudaTextureObject_t image = 0;
  cudaCreateTextureObject(&image, &resource, &sampling, nullptr);
  float* out;
  cudaMalloc(&out, sizeof(result));
  blur<<<1, dim3(width, height)>>>(image, out, width, height);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%g %g\n", result[0][0], result[7][15]);
  return result[0][0] != 3.0f || result[7][15] != 72.0f;
}
