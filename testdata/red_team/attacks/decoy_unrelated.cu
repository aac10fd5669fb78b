// The host computes; a kernel works hard on something else.
// class: decoy
// insert: io host device
__global__ void busy(float* x) {
  float value = static_cast<float>(threadIdx.x);
  for (int i = 0; i < 1000; ++i) value = value * 0.5f + 1.0f;
  x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
int main() {
  busy<<<8, 64>>>(device_zeros<float>(512));
  cudaDeviceSynchronize();
  write_output(host_result());
}
