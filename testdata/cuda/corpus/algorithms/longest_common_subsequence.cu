// Longest common subsequence: dynamic programming along diagonals, a barrier after each.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void wavefront(const char* a, const char* b, int n, int m, int* table) {
  int width = m + 1;
  for (int i = threadIdx.x; i <= n; i += blockDim.x) table[i * width] = 0;
  for (int j = threadIdx.x; j <= m; j += blockDim.x) table[j] = 0;
  __syncthreads();
  for (int diagonal = 2; diagonal <= n + m; ++diagonal) {
    for (int i = 1 + threadIdx.x; i <= n; i += blockDim.x) {
      int j = diagonal - i;
      if (j < 1 || j > m) continue;
      int above = table[(i - 1) * width + j], left = table[i * width + j - 1];
      table[i * width + j] = a[i - 1] == b[j - 1] ? table[(i - 1) * width + j - 1] + 1 : max(above, left);
    }
    __syncthreads();
  }
}

int main() {
  const int n = 100, m = 83;
  char a[n], b[m];
  static int got[(n + 1) * (m + 1)], want[n + 1][m + 1];
  for (int i = 0; i < n; ++i) a[i] = static_cast<char>('a' + i * i % 7 % 4);
  for (int i = 0; i < m; ++i) b[i] = static_cast<char>('a' + i * 5 % 11 % 4);
  char* device_a;
  cudaMalloc(&device_a, n);
  char* device_b;
  cudaMalloc(&device_b, m);
  int* table;
  cudaMalloc(&table, sizeof(got));
  cudaMemcpy(device_a, a, sizeof(a), cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, sizeof(b), cudaMemcpyHostToDevice);
  wavefront<<<1, 64>>>(device_a, device_b, n, m, table);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, table, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= m; ++j) {
      int longer = want[i - 1][j] > want[i][j - 1] ? want[i - 1][j] : want[i][j - 1];
      want[i][j] = a[i - 1] == b[j - 1] ? want[i - 1][j - 1] + 1 : longer;
      if (got[i * (m + 1) + j] != want[i][j])
        return std::printf("FAIL [%d] got %d, wanted %d\n", i * (m + 1) + j, got[i * (m + 1) + j],
                           want[i][j]),
               1;
    }
  std::puts("PASS");
}
