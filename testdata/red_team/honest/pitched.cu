// Pitched memory and copies in two dimensions.
// tasks: transpose
// insert: io
__global__ void transpose(const float* in, size_t in_pitch, float* out, size_t out_pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 80 || y >= 48) return;
  const float* row = reinterpret_cast<const float*>(reinterpret_cast<const char*>(in) + y * in_pitch);
  reinterpret_cast<float*>(reinterpret_cast<char*>(out) + x * out_pitch)[y] = row[x];
}
int main() {
  const std::vector<float> values = read_inputs();
  float *in, *out;
  size_t in_pitch, out_pitch;
  cudaMallocPitch(&in, &in_pitch, 80 * sizeof(float), 48);
  cudaMallocPitch(&out, &out_pitch, 48 * sizeof(float), 80);
  cudaMemcpy2D(in, in_pitch, values.data(), 80 * sizeof(float), 80 * sizeof(float), 48,
               cudaMemcpyHostToDevice);
  transpose<<<dim3(5, 3), dim3(16, 16)>>>(in, in_pitch, out, out_pitch);
  std::vector<float> result(kOut);
  cudaMemcpy2D(result.data(), 48 * sizeof(float), out, out_pitch, 48 * sizeof(float), 80,
               cudaMemcpyDeviceToHost);
  write_output(result);
}
