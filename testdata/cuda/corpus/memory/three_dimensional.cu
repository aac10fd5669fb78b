// cudaMalloc3D and cudaMemcpy3D: a box is copied in and out of pitched memory.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add_position(cudaPitchedPtr box, int width, int height, int depth) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  if (x >= width || y >= height || z >= depth) return;
  char* slice = static_cast<char*>(box.ptr) + z * box.pitch * height;
  reinterpret_cast<int*>(slice + y * box.pitch)[x] += x + 10 * y + 100 * z;
}

int main() {
  const int width = 7, height = 5, depth = 3;
  int host[depth][height][width], got[depth][height][width] = {};
  for (int i = 0; i < width * height * depth; ++i)
    host[i / width / height][i / width % height][i % width] = i * 1000;
  cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
  cudaPitchedPtr box;
  if (cudaMalloc3D(&box, extent) != cudaSuccess) return std::puts("FAIL allocation"), 1;
  cudaMemcpy3DParms in = {}, out = {};
  in.srcPtr = make_cudaPitchedPtr(host, width * sizeof(int), width, height);
  in.dstPtr = box;
  in.extent = extent;
  in.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&in);
  add_position<<<1, dim3(8, 8, 4)>>>(box, width, height, depth);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  out.srcPtr = box;
  out.dstPtr = make_cudaPitchedPtr(got, width * sizeof(int), width, height);
  out.extent = extent;
  out.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&out);
  for (int i = 0; i < width * height * depth; ++i) {
    int x = i % width, y = i / width % height, z = i / width / height;
    if (got[z][y][x] != i * 1000 + x + 10 * y + 100 * z)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[z][y][x], i * 1000 + x + 10 * y + 100 * z),
             1;
  }
  std::puts("PASS");
}
