// Blocks count into histograms of their own; the host adds them up.
// tasks: histogram
// insert: io device
__global__ void count(const int* in, int* counts) {
  __shared__ int own[kOut];
  if (threadIdx.x < kOut) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[in[blockIdx.x * blockDim.x + threadIdx.x]], 1);
  __syncthreads();
  if (threadIdx.x < kOut) counts[blockIdx.x * kOut + threadIdx.x] = own[threadIdx.x];
}
int main() {
  int* counts = device_zeros<int>(8 * kOut);
  count<<<8, 512>>>(on_device(read_inputs()), counts);
  const std::vector<int> parts = from_device(counts, 8 * kOut);
  std::vector<int> out(kOut);
  for (size_t i = 0; i < parts.size(); ++i) out[i % kOut] += parts[i];
  write_output(out);
}
