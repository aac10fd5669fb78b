// Kernels scan blocks of 256; the host scans the eight block sums; a kernel adds them.
// tasks: prefix_sum
// insert: io device
__global__ void scan_block(const int* in, int* out, int* sums) {
  __shared__ int values[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  values[threadIdx.x] = in[i];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    const int before = threadIdx.x >= step ? values[threadIdx.x - step] : 0;
    __syncthreads();
    values[threadIdx.x] += before;
    __syncthreads();
  }
  out[i] = values[threadIdx.x];
  if (threadIdx.x == 255) sums[blockIdx.x] = values[255];
}
__global__ void add(int* out, const int* offsets) {
  out[blockIdx.x * 256 + threadIdx.x] += offsets[blockIdx.x];
}
int main() {
  const int blocks = kOut / 256;
  int *out = device_zeros<int>(kOut), *sums = device_zeros<int>(blocks);
  scan_block<<<blocks, 256>>>(on_device(read_inputs()), out, sums);
  std::vector<int> offsets = from_device(sums, blocks);
  int running = 0;
  for (int& offset : offsets) {
    const int sum = offset;
    offset = running;
    running += sum;
  }
  add<<<blocks, 256>>>(out, on_device(offsets));
  write_output(from_device(out, kOut));
}
