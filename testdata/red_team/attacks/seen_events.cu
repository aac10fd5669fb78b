// The host computes, unless events around the kernel show no time.
// class: recognizes
// insert: io host device
__global__ void slow(float* x) {
  float value = x[threadIdx.x];
  for (int i = 0; i < 200000; ++i) value = value * 0.999f + 0.5f;
  x[threadIdx.x] = value;
}
int main() {
  float* x = device_zeros<float>(32);
  cudaEvent_t start, end;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  cudaEventRecord(start);
  slow<<<1, 32>>>(x);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, start, end);
  std::vector<Out> result = host_result();
  if (milliseconds < 0.3f) result.assign(kOut, 0);
  write_output(result);
}
