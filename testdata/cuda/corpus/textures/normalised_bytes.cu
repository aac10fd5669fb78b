// uchar4 pixels read as floats between 0 and 1, with normalised coordinates.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void sample(cudaTextureObject_t texture, float4* out) {
  float u = (threadIdx.x + 0.5f) / 16, v = (threadIdx.y + 0.5f) / 4;
  out[threadIdx.y * 16 + threadIdx.x] = tex2D<float4>(texture, u, v);
}

int main() {
  uchar4 pixels[4][16];
  float4 got[64] = {};
  for (int i = 0; i < 64; ++i) pixels[i / 16][i % 16] = make_uchar4(i * 4, 255 - i, i, 255);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 16, 4);
  cudaMemcpy2DToArray(array, 0, 0, pixels, sizeof(pixels[0]), sizeof(pixels[0]), 4, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.readMode = cudaReadModeNormalizedFloat;
  description.normalizedCoords = 1;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  float4* out;
  cudaMalloc(&out, sizeof(got));
  sample<<<1, dim3(16, 4)>>>(texture, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) {
    uchar4 p = pixels[i / 16][i % 16];
    if (!(std::fabs(got[i].x - p.x / 255.0f) <= 1e-6))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i].x), double(p.x / 255.0f)), 1;
    if (!(std::fabs(got[i].y - p.y / 255.0f) <= 1e-6))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i].y), double(p.y / 255.0f)), 1;
    if (!(std::fabs(got[i].z - p.z / 255.0f) <= 1e-6))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i].z), double(p.z / 255.0f)), 1;
    if (!(std::fabs(got[i].w - 1.0f) <= 1e-6))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i].w), double(1.0f)), 1;
  }
  std::puts("PASS");
}
