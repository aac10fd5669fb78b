// One step of the n-body problem, bodies tiled through shared memory.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void forces(const float4* bodies, float3* out, int count) {
  __shared__ float4 tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  float4 me = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (int start = 0; start < count; start += 64) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j) {
      float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f),
            scale = tile[j].w * inverse * inverse * inverse;
      sum.x += dx * scale;
      sum.y += dy * scale;
      sum.z += dz * scale;
    }
    __syncthreads();
  }
  out[i] = sum;
}

int main() {
  const int count = 256;
  static float4 bodies[count];
  static float3 got[count];
  for (int i = 0; i < count; ++i)
    bodies[i] = make_float4(i * 37 % 101 * 0.1f, i * 53 % 97 * 0.1f, i * 71 % 89 * 0.1f, 1 + i % 3);
  float4* in;
  cudaMalloc(&in, sizeof(bodies));
  float3* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, bodies, sizeof(bodies), cudaMemcpyHostToDevice);
  forces<<<4, 64>>>(in, out, count);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i) {
    double x = 0, y = 0, z = 0;
    for (const float4& b : bodies) {
      double dx = double(b.x) - bodies[i].x, dy = double(b.y) - bodies[i].y, dz = double(b.z) - bodies[i].z;
      double scale = b.w / std::pow(dx * dx + dy * dy + dz * dz + 0.01, 1.5);
      x += dx * scale, y += dy * scale, z += dz * scale;
    }
    if (!(std::fabs(got[i].x - x) <= 2e-3))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i].x), double(x)), 1;
    if (!(std::fabs(got[i].y - y) <= 2e-3))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i].y), double(y)), 1;
    if (!(std::fabs(got[i].z - z) <= 2e-3))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i].z), double(z)), 1;
  }
  std::puts("PASS");
}
