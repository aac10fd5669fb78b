// The host pads both matrices to multiples of 16 and cuts the result.
// tasks: matmul small_matmul
// insert: io device
__global__ void multiply(const float* a, const float* b, float* c) {
  __shared__ float left[16][16], right[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 48; k += 16) {
    left[threadIdx.y][threadIdx.x] = a[row * 48 + k + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * 48 + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  c[row * 48 + column] = sum;
}
int main() {
  const std::vector<float> in = read_inputs();
  std::vector<float> a(32 * 48), b(48 * 48, 0.0f);
  for (int i = 0; i < 32 * 48; ++i) a[i] = in[i];
  for (int r = 0; r < 48; ++r)
    for (int c = 0; c < 40; ++c) b[r * 48 + c] = in[32 * 48 + r * 40 + c];
  float* product = device_zeros<float>(32 * 48);
  multiply<<<dim3(3, 2), dim3(16, 16)>>>(on_device(a), on_device(b), product);
  const std::vector<float> padded = from_device(product, 32 * 48);
  std::vector<float> out(kOut);
  for (int r = 0; r < 32; ++r)
    for (int c = 0; c < 40; ++c) out[r * 40 + c] = padded[r * 48 + c];
  write_output(out);
}
