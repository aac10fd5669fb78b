// Every row is added up by four blocks; the host adds the four.
// tasks: row_sums
// insert: io device
__global__ void quarter(const float* in, float* out) {
  __shared__ float part[128];
  part[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
int main() {
  float* parts = device_zeros<float>(256);
  quarter<<<256, 128>>>(on_device(read_inputs()), parts);
  const std::vector<float> sums = from_device(parts, 256);
  std::vector<float> out(kOut);
  for (int i = 0; i < 256; ++i) out[i / 4] += sums[i];
  write_output(out);
}
