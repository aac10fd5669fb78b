#include <algorithm>
#include "check.h"
#include "solve.h"
void reference(const float* in, int n, float* out) {
  std::vector<float> wanted(in, in + n);
  for (int i = 0; i < n; ++i) wanted[i] = in[i] * in[i] * in[i] - in[i];
  std::copy(wanted.begin(), wanted.end(), out);
}
int main() {
  for (const int n : {1, 300, 1000, 5000}) {
    const std::vector<float> in = numbers(n);
    std::vector<float> wanted(n), got(n);
    reference(in.data(), n, wanted.data());
    float *device_in, *device_out;
    cudaMalloc(&device_in, n * sizeof(float));
    cudaMalloc(&device_out, n * sizeof(float));
    cudaMemcpy(device_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(device_out, 0xff, n * sizeof(float));
    solve(device_in, n, device_out, n);
    cudaMemcpy(got.data(), device_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    check(got, wanted);
    cudaFree(device_in);
    cudaFree(device_out);
  }
}
