// One index of a gather table, made by the host, names an element behind the table.
#include <cstdio>

__global__ void gather(const double* table, const int* index, double* out, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    const int from = index[i];
    out[i] = table[from];  // finds: out_of_bounds
  }
}

int main() {
  const int entries = 16, n = 8;
  const double values[entries] = {};
  const int indices[n] = {0, 3, 5, 15, 2, 17, 1, 9};
  double *table, *out;
  int* index;
  cudaMalloc(&table, sizeof(values));
  cudaMalloc(&index, sizeof(indices));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemcpy(table, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaMemcpy(index, indices, sizeof(indices), cudaMemcpyHostToDevice);
  gather<<<1, 32>>>(table, index, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
