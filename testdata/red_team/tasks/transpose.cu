// The transpose of 48 x 80 numbers: tiles of 16 x 16 through shared memory.
// section: io
using In = float;
using Out = float;
constexpr int kIn = 48 * 80;
constexpr int kOut = 80 * 48;
static std::vector<In> read_inputs() {
  std::vector<In> in(kIn);
  read_file("data/x.bin", in.data(), kIn);
  return in;
}
static void write_output(const std::vector<Out>& out) { write_file("data/out.bin", out); }

// section: host
static void host_compute(const In* in, Out* out) {
  for (int r = 0; r < 48; ++r)
    for (int c = 0; c < 80; ++c) out[c * 48 + r] = in[r * 80 + c];
}

// section: element
__device__ Out element(const In* in, int i) { return in[i % 48 * 80 + i / 48]; }

// section: solve
constexpr int kGrid = 15, kBlock = 256;
__global__ void solve(const In* in, Out* out) {
  __shared__ float tile[16][17];
  const int row = blockIdx.x / 5 * 16, column = blockIdx.x % 5 * 16;
  const int y = threadIdx.x / 16, x = threadIdx.x % 16;
  tile[y][x] = in[(row + y) * 80 + column + x];
  __syncthreads();
  out[(column + y) * 48 + row + x] = tile[x][y];
}
