// The last warp of a sum adds through a volatile pointer, its lanes going together, as books show it.
// check: skip the lanes race with each other where nothing but volatile orders them
#include <cstdio>
#include <vector>

__global__ void sums(const int* in, int* out) {
  extern __shared__ int values[];
  const unsigned t = threadIdx.x;
  values[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
    if (t < s) values[t] += values[t + s];
    __syncthreads();
  }
  if (t < 32) {
    volatile int* s = values;
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
  }
  if (t == 0) out[blockIdx.x] = values[0];
}

int main() {
  const int blocks = 5;
  bool right = true;
  for (int threads : {64, 128}) {
    std::vector<int> in(blocks * threads), out(blocks), wanted(blocks);
    for (int i = 0; i < blocks * threads; ++i) wanted[i / threads] += in[i] = i * i % 1009 + 1;
    int *d_in, *d_out;
    cudaMalloc(&d_in, in.size() * sizeof(int));
    cudaMalloc(&d_out, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0xff, blocks * sizeof(int));
    sums<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks; ++i)
      if (out[i] != wanted[i])
        printf("%d threads, block %d: %d, not %d\n", threads, i, out[i], wanted[i]), right = false;
    cudaFree(d_in);
    cudaFree(d_out);
  }
  puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
