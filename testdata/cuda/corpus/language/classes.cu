// Classes in device code: constructors, a destructor that acts, methods, operators, static members.
#include <cuda_runtime.h>

#include <cstdio>

class Counter {
 public:
  __device__ explicit Counter(int* log) : log_(log), value_(kStart) {}
  __device__ ~Counter() { *log_ = value_; }
  __device__ Counter& operator+=(int by) {
    value_ += by;
    return *this;
  }
  __device__ int operator[](int i) const { return value_ * i; }
  static __device__ int start() { return kStart; }

 private:
  static constexpr int kStart = 100;
  int* log_;
  int value_;
};

__global__ void use(int* out) {
  int t = threadIdx.x;
  {
    Counter counter(&out[2 * t]);
    (counter += t) += 1;
    out[2 * t + 1] = counter[3] + Counter::start();
  }
  out[2 * t] += 1000;
}

int main() {
  int got[64] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  use<<<1, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; ++t) {
    if (got[2 * t] != 1101 + t)
      return std::printf("FAIL [%d] got %d, wanted %d\n", 2 * t, got[2 * t], 1101 + t), 1;
    if (got[2 * t + 1] != (101 + t) * 3 + 100)
      return std::printf("FAIL [%d] got %d, wanted %d\n", 2 * t + 1, got[2 * t + 1], (101 + t) * 3 + 100), 1;
  }
  std::puts("PASS");
}
