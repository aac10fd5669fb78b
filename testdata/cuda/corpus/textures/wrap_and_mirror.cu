// Normalised coordinates with wrap and mirror addressing.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void sample(cudaTextureObject_t texture, int* out) {
  out[threadIdx.x] = tex2D<int>(texture, (static_cast<int>(threadIdx.x) - 20 + 0.5f) / 8, 0.25f);
}

int main() {
  int pixels[2][8], got[48] = {};
  for (int i = 0; i < 16; ++i) pixels[i / 8][i % 8] = i * i + 1;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 8, 2);
  cudaMemcpy2DToArray(array, 0, 0, pixels, sizeof(pixels[0]), sizeof(pixels[0]), 2, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  int* out;
  cudaMalloc(&out, sizeof(got));
  for (auto mode : {cudaAddressModeWrap, cudaAddressModeMirror}) {
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = mode;
    description.filterMode = cudaFilterModePoint;
    description.normalizedCoords = 1;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    sample<<<1, 48>>>(texture, out);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 48; ++i) {
      int x = (i - 20 + 80) % 16;
      int column = mode == cudaAddressModeWrap ? x % 8 : x < 8 ? x : 15 - x;
      if (got[i] != pixels[0][column])
        return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], pixels[0][column]), 1;
    }
    cudaDestroyTextureObject(texture);
  }
  std::puts("PASS");
}
