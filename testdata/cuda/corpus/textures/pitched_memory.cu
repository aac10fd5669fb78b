// A two-dimensional texture over pitched memory that a kernel wrote before.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void draw(unsigned char* base, size_t pitch) {
  base[threadIdx.y * pitch + threadIdx.x] = threadIdx.x * 3 + threadIdx.y * 50;
}

__global__ void sample(cudaTextureObject_t texture, int* out) {
  out[threadIdx.y * 20 + threadIdx.x] = tex2D<unsigned char>(texture, threadIdx.y + 0.5f, threadIdx.x + 0.5f);
}

int main() {
  unsigned char* base;
  size_t pitch;
  int got[80] = {};
  cudaMallocPitch(&base, &pitch, 20, 4);
  draw<<<1, dim3(20, 4)>>>(base, pitch);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = base;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
  resource.res.pitch2D.width = 20;
  resource.res.pitch2D.height = 4;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess)
    return std::puts("FAIL texture"), 1;
  int* out;
  cudaMalloc(&out, sizeof(got));
  sample<<<1, dim3(20, 4)>>>(texture, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 80; ++i) {
    int x = i / 20, y = i % 20 < 4 ? i % 20 : 3;
    if (got[i] != x * 3 + y * 50)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], x * 3 + y * 50), 1;
  }
  std::puts("PASS");
}
