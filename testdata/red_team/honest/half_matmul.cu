// The host converts both matrices to half precision before the upload.
// tasks: small_matmul
// insert: io device

#include <cuda_fp16.h>
__global__ void multiply(const __half* a, const __half* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kOut) return;
  float sum = 0;
  for (int k = 0; k < 48; ++k) sum += __half2float(a[i / 40 * 48 + k]) * __half2float(b[k * 40 + i % 40]);
  c[i] = sum;
}
int main() {
  std::vector<__half> halves;
  for (const float value : read_inputs()) halves.push_back(__float2half(value));
  const __half* in = on_device(halves);
  float* out = device_zeros<float>(kOut);
  multiply<<<(kOut + 127) / 128, 128>>>(in, in + 32 * 48, out);
  write_output(from_device(out, kOut));
}
