// threadIdx read where it is used, never kept: in a loop and behind it, and one member or another by branch.
#include <cuda_runtime.h>

#include <cstdio>

// The optimiser joins the addresses of both reads, and skips the loop where `rows` is 0.
__global__ void column_sums(const int* x, int* sums, int rows, int columns) {
  int sum = 0;
  for (int i = 0; i < rows; ++i) sum += x[i * columns + threadIdx.x];
  sums[threadIdx.x] = sum + 1;
}

__global__ void one_or_the_other(int* out, const int* choice) {
  const int i = threadIdx.y * blockDim.x + threadIdx.x;
  unsigned chosen;
  if (choice[i] == 0) {
    chosen = threadIdx.x;
  } else if (choice[i] == 1) {
    chosen = threadIdx.y;
  } else {
    chosen = blockDim.x;
  }
  out[i] = static_cast<int>(chosen);
}

template <int N>
int* to_device(const int (&values)[N]) {
  int* memory;
  cudaMalloc(&memory, sizeof(values));
  cudaMemcpy(memory, values, sizeof(values), cudaMemcpyHostToDevice);
  return memory;
}

int main() {
  const int rows = 7, columns = 40;
  int x[rows * columns], sums[columns];
  for (int i = 0; i < rows * columns; ++i) x[i] = i * i % 101;
  for (int used : {rows, 0}) {
    int* got = to_device(sums);
    column_sums<<<1, columns>>>(to_device(x), got, used, columns);
    cudaMemcpy(sums, got, sizeof(sums), cudaMemcpyDeviceToHost);
    for (int c = 0; c < columns; ++c) {
      int wanted = 1;
      for (int r = 0; r < used; ++r) wanted += x[r * columns + c];
      if (sums[c] != wanted) return std::printf("FAIL sums[%d] got %d, wanted %d\n", c, sums[c], wanted), 1;
    }
  }
  int choice[64], out[64];
  for (int i = 0; i < 64; ++i) choice[i] = i * 7 % 3;
  int* chosen = to_device(out);
  one_or_the_other<<<1, dim3(16, 4)>>>(chosen, to_device(choice));
  cudaMemcpy(out, chosen, sizeof(out), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) {
    const int wanted = choice[i] == 0 ? i % 16 : choice[i] == 1 ? i / 16 : 16;
    if (out[i] != wanted) return std::printf("FAIL out[%d] got %d, wanted %d\n", i, out[i], wanted), 1;
  }
  std::puts("PASS");
}
