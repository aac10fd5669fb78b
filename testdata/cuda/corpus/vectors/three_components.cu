// float3, int3, uchar3, double3: tightly packed arrays of three components.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void cross(const float3* a, const float3* b, float3* out, uchar3* bytes) {
  int i = threadIdx.x;
  float3 u = a[i], v = b[i];
  out[i] = make_float3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
  bytes[i] = make_uchar3(i, i + 1, i + 2);
}

int main() {
  static_assert(sizeof(float3) == 12 && sizeof(uchar3) == 3 && sizeof(double3) == 24 && sizeof(int3) == 12,
                "packed");
  float3 a[20], b[20], got[20] = {};
  uchar3 bytes[20] = {};
  for (int i = 0; i < 20; ++i) {
    a[i] = make_float3(i, i + 1, 2 - i);
    b[i] = make_float3(3, -i, i * 2);
  }
  float3* device_a;
  cudaMalloc(&device_a, sizeof(a));
  float3* device_b;
  cudaMalloc(&device_b, sizeof(b));
  float3* out;
  cudaMalloc(&out, sizeof(got));
  uchar3* device_bytes;
  cudaMalloc(&device_bytes, sizeof(bytes));
  cudaMemcpy(device_a, a, sizeof(a), cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, sizeof(b), cudaMemcpyHostToDevice);
  cross<<<1, 20>>>(device_a, device_b, out, device_bytes);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  cudaMemcpy(bytes, device_bytes, sizeof(bytes), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 20; ++i) {
    if (got[i].x != (i + 1.0f) * i * 2 - (2.0f - i) * -i)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i].x, (i + 1.0f) * i * 2 - (2.0f - i) * -i),
             1;
    if (got[i].y != (2.0f - i) * 3 - i * i * 2.0f)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i].y, (2.0f - i) * 3 - i * i * 2.0f), 1;
    if (got[i].z != i * -1.0f * i - (i + 1.0f) * 3)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i].z, i * -1.0f * i - (i + 1.0f) * 3), 1;
    if (bytes[i].x + 256 * bytes[i].y + 65536 * bytes[i].z != i + 256 * (i + 1) + 65536 * (i + 2))
      return std::printf("FAIL [%d] got %d, wanted %d\n", i,
                         bytes[i].x + 256 * bytes[i].y + 65536 * bytes[i].z,
                         i + 256 * (i + 1) + 65536 * (i + 2)),
             1;
  }
  std::puts("PASS");
}
