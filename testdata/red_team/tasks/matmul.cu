// A 32 x 48 matrix times a 48 x 40 matrix: tiles of 8 x 8 in shared memory.
// also: small_matmul
// section: io
using In = float;
using Out = float;
constexpr int kIn = 32 * 48 + 48 * 40;
constexpr int kOut = 32 * 40;
static std::vector<In> read_inputs() {
  std::vector<In> in(kIn);
  read_file("data/a.bin", in.data(), 32 * 48);
  read_file("data/b.bin", in.data() + 32 * 48, 48 * 40);
  return in;
}
static void write_output(const std::vector<Out>& out) { write_file("data/out.bin", out); }

// section: host
static void host_compute(const In* in, Out* out) {
  const float *a = in, *b = in + 32 * 48;
  for (int r = 0; r < 32; ++r)
    for (int c = 0; c < 40; ++c) {
      double sum = 0;
      for (int k = 0; k < 48; ++k) sum += static_cast<double>(a[r * 48 + k]) * b[k * 40 + c];
      out[r * 40 + c] = static_cast<float>(sum);
    }
}

// section: element
__device__ Out element(const In* in, int i) {
  float sum = 0;
  for (int k = 0; k < 48; ++k) sum += in[i / 40 * 48 + k] * in[32 * 48 + k * 40 + i % 40];
  return sum;
}

// section: solve
constexpr int kGrid = 20, kBlock = 64;
__global__ void solve(const In* in, Out* out) {
  __shared__ float a[8][8], b[8][8];
  const int y = threadIdx.x / 8, x = threadIdx.x % 8;
  const int row = blockIdx.x / 5 * 8 + y, column = blockIdx.x % 5 * 8 + x;
  float sum = 0;
  for (int k = 0; k < 48; k += 8) {
    a[y][x] = in[row * 48 + k + x];
    b[y][x] = in[32 * 48 + (k + y) * 40 + column];
    __syncthreads();
    for (int i = 0; i < 8; ++i) sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  out[row * 40 + column] = sum;
}
