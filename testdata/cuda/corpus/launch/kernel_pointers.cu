// Launches through pointers to kernels whose type is written out: variables, tables, arguments, templates.
#include <cstdio>

typedef void (*Kernel)(int*, int, int);

__global__ void add(int* values, const int n, const int amount) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += amount;
}

__global__ void __launch_bounds__(128) subtract(int* values, int n, int amount) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] -= amount;
}

namespace scaled {
template <int factor>
__global__ void multiply(int* values, int n, int amount) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor * amount;
}
}  // namespace scaled

struct Step {
  const char* name;
  void (*kernel)(int*, int, int);
};

constexpr int kCount = 300;

Kernel choose(bool up) { return up ? add : subtract; }

void run(void (*kernel)(int*, int, int), int* values, int amount) {
  kernel<<<(kCount + 127) / 128, 128>>>(values, kCount, amount);
}

int main() {
  int* values;
  cudaMallocManaged(&values, kCount * sizeof(int));
  for (int i = 0; i < kCount; ++i) values[i] = i;
  Kernel first = &add;
  first<<<3, 128>>>(values, kCount, 5);
  first = subtract;
  first<<<3, 128>>>(values, kCount, 2);
  const Step steps[] = {{"triple", scaled::multiply<3>}, {"add", &add}, {"double", &scaled::multiply<2>}};
  for (const Step& step : steps) step.kernel<<<3, 128>>>(values, kCount, 1);
  run(add, values, 10);
  run(choose(false), values, 4);
  cudaDeviceSynchronize();
  for (int i = 0; i < kCount; ++i) {
    const int wanted = ((i + 5 - 2) * 3 + 1) * 2 + 10 - 4;
    if (values[i] != wanted) {
      std::printf("FAIL: values[%d] = %d, not %d\n", i, values[i], wanted);
      return 1;
    }
  }
  std::printf("PASS\n");
  return 0;
}
