// A buffer of small headers read through a pointer to the larger type that extends them.
#include <cstdio>

struct Header {
  int kind;
  int length;
};
struct Message : Header {
  double payload;
};

__global__ void payloads(const Header* headers, double* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const Message* message = static_cast<const Message*>(headers + 2 * i);
  out[i] = message->payload;  // finds: out_of_bounds
}

int main() {
  const int n = 8;
  Header* headers;
  double* out;
  cudaMalloc(&headers, (2 * n - 1) * sizeof(Header));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemset(headers, 0, (2 * n - 1) * sizeof(Header));
  payloads<<<1, 32>>>(headers, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
