// A cubemap: each direction meets one texel of one of six faces, and layers of cubemaps.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kWidth = 8, kFaces = 6, kLayers = 2;

// The direction through the middle of a texel, after the programming guide's table of faces.
__host__ __device__ float3 direction(int face, int x, int y) {
  const float s = (x + 0.5f) / kWidth * 2 - 1, t = (y + 0.5f) / kWidth * 2 - 1;
  switch (face) {
    case 0:
      return {1, -t, -s};
    case 1:
      return {-1, -t, s};
    case 2:
      return {s, 1, t};
    case 3:
      return {s, -1, -t};
    case 4:
      return {s, -t, 1};
    default:
      return {-s, -t, -1};
  }
}

__global__ void read(cudaTextureObject_t texture, bool layered, float* out) {
  const int face = blockIdx.x, layer = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
  float3 d = direction(face, x, y);
  d = {3 * d.x, 3 * d.y, 3 * d.z};  // the length does not matter
  out[((layer * kFaces + face) * kWidth + y) * kWidth + x] =
      layered ? texCubemapLayered<float>(texture, d.x, d.y, d.z, layer)
              : texCubemap<float>(texture, d.x, d.y, d.z);
}

static bool test(int layers, unsigned flags, cudaTextureFilterMode filter) {
  const int count = kWidth * kWidth * kFaces * layers;
  std::vector<float> texels(count), got(count);
  for (int i = 0; i < count; ++i) texels[i] = 0.25f * i;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  const cudaExtent extent = make_cudaExtent(kWidth, kWidth, kFaces * layers);
  if (cudaMalloc3DArray(&array, &format, extent, flags) != cudaSuccess) return std::puts("FAIL array"), false;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), kWidth * sizeof(float), kWidth, kWidth);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.normalizedCoords = 1;
  description.filterMode = filter;
  for (cudaTextureAddressMode& mode : description.addressMode) mode = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess)
    return std::puts("FAIL texture"), false;
  float* out;
  cudaMalloc(&out, count * sizeof(float));
  read<<<dim3(kFaces, layers), dim3(kWidth, kWidth)>>>(texture, (flags & cudaArrayLayered) != 0, out);
  cudaMemcpy(got.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i)
    if (got[i] != texels[i])
      return std::printf("FAIL texel %d: %g, wanted %g\n", i, got[i], texels[i]), false;
  cudaDestroyTextureObject(texture);
  return cudaFreeArray(array) == cudaSuccess;
}

int main() {
  if (!test(1, cudaArrayCubemap, cudaFilterModePoint)) return 1;
  if (!test(1, cudaArrayCubemap, cudaFilterModeLinear)) return 1;
  if (!test(kLayers, cudaArrayCubemap | cudaArrayLayered, cudaFilterModePoint)) return 1;
  std::puts("PASS");
}
