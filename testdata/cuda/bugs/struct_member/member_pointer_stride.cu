// Steps through one member of an array of structs with the wrong stride: bytes counted as floats.
#include <cstdio>

struct Particle {
  float position[3];
  float mass;
};

__global__ void set_mass(Particle* particles, int n) {
  float* mass = &particles->mass;
  const int i = threadIdx.x;
  if (i < n) mass[i * sizeof(Particle)] = 1.0f;  // finds: out_of_bounds
}

int main() {
  const int n = 32;
  Particle* particles;
  cudaMalloc(&particles, n * sizeof(Particle));
  set_mass<<<1, 32>>>(particles, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
