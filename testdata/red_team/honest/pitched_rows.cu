// Rows in pitched memory, one warp per row.
// tasks: row_sums
// insert: io device
__global__ void add_up(const float* in, size_t pitch, float* out) {
  const float* row = reinterpret_cast<const float*>(reinterpret_cast<const char*>(in) + blockIdx.x * pitch);
  float sum = 0;
  for (int c = threadIdx.x; c < 512; c += 32) sum += row[c];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
int main() {
  const std::vector<float> values = read_inputs();
  float* in;
  size_t pitch;
  cudaMallocPitch(&in, &pitch, 512 * sizeof(float), 64);
  cudaMemcpy2D(in, pitch, values.data(), 512 * sizeof(float), 512 * sizeof(float), 64,
               cudaMemcpyHostToDevice);
  float* out = device_zeros<float>(kOut);
  add_up<<<64, 32>>>(in, pitch, out);
  write_output(from_device(out, kOut));
}
