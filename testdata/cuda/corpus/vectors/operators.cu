// Operators for vector types defined by the program, as most programs do, and an aligned struct of its own.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

struct __align__(16) Particle {
  float3 position;
  float mass;
};

__host__ __device__ float3 operator+(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__host__ __device__ float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__global__ void move(Particle* particles, float step) {
  Particle p = particles[threadIdx.x];
  p.position = p.position + (step / p.mass) * make_float3(1, 2, -1);
  p.mass = dot(p.position, p.position);
  particles[threadIdx.x] = p;
}

int main() {
  static_assert(sizeof(Particle) == 16 && alignof(Particle) == 16, "one load");
  Particle particles[64];
  for (int i = 0; i < 64; ++i) particles[i] = {make_float3(i, -i, 1), static_cast<float>(1 << i % 4)};
  Particle* device;
  cudaMalloc(&device, sizeof(particles));
  cudaMemcpy(device, particles, sizeof(particles), cudaMemcpyHostToDevice);
  move<<<1, 64>>>(device, 0.5f);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(particles, device, sizeof(particles), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) {
    float scale = 0.5f / (1 << i % 4), x = i + scale, y = -i + 2 * scale, z = 1 - scale;
    if (particles[i].position.x != x)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, particles[i].position.x, x), 1;
    if (particles[i].position.y != y)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, particles[i].position.y, y), 1;
    if (particles[i].position.z != z)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, particles[i].position.z, z), 1;
    if (!(std::fabs(particles[i].mass - (x * x + y * y + z * z)) <= 1e-3))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(particles[i].mass),
                         double((x * x + y * y + z * z))),
             1;
  }
  std::puts("PASS");
}
