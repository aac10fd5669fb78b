// A struct in device memory keeps a pointer to a buffer that the host freed when it grew it.
#include <cstdio>

struct Array {
  float* data;
  int size;
};

__global__ void fill(Array* array, float value) {
  const int i = threadIdx.x;
  if (i < array->size) array->data[i] = value;  // finds: use_after_free
}

int main() {
  float *old_data, *new_data;
  Array* array;
  cudaMalloc(&old_data, 32 * sizeof(float));
  cudaMalloc(&array, sizeof(Array));
  const Array host = {old_data, 32};
  cudaMemcpy(array, &host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMalloc(&new_data, 1 << 20);
  cudaFree(old_data);
  fill<<<1, 32>>>(array, 1.0f);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
