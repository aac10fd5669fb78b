// An owning class is copied by value: the copy's destructor frees the buffer before the kernel uses it.
#include <cstdio>

class Buffer {
 public:
  explicit Buffer(int n) {
    cudaMalloc(&data_, n * sizeof(double));
    cudaMemset(data_, 0, n * sizeof(double));
  }
  ~Buffer() { cudaFree(data_); }
  double* data() const { return data_; }

 private:
  double* data_ = nullptr;
};

double* data_of(Buffer buffer) { return buffer.data(); }

__global__ void increment(double* data) {
  data[threadIdx.x] += 1.0;  // finds: use_after_free
}

int main() {
  Buffer buffer(32);
  double* data = data_of(buffer);
  increment<<<1, 32>>>(data);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
