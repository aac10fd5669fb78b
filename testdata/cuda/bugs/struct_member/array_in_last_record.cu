// Records with four values each; a loop over five leaves the last record, and the array with it.
#include <cstdio>

struct Record {
  int values[4];
};

__global__ void totals(const Record* records, int* out, int n, int per_record) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const int* values = records[i].values;
  int sum = 0;
  for (int k = 0; k < per_record; ++k) sum += values[k];  // finds: out_of_bounds
  out[i] = sum;
}

int main() {
  const int n = 10;
  Record* records;
  int* out;
  cudaMalloc(&records, n * sizeof(Record));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(records, 0, n * sizeof(Record));
  totals<<<1, 32>>>(records, out, n, 5);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
