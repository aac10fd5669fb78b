// Sums of 64 rows of 512 numbers: one block per row, a tree in shared memory.
// section: io
using In = float;
using Out = float;
constexpr int kIn = 64 * 512;
constexpr int kOut = 64;
static std::vector<In> read_inputs() {
  std::vector<In> in(kIn);
  read_file("data/x.bin", in.data(), kIn);
  return in;
}
static void write_output(const std::vector<Out>& out) { write_file("data/out.bin", out); }

// section: host
static void host_compute(const In* in, Out* out) {
  for (int r = 0; r < kOut; ++r) {
    double sum = 0;
    for (int c = 0; c < 512; ++c) sum += in[r * 512 + c];
    out[r] = static_cast<float>(sum);
  }
}

// section: element
__device__ Out element(const In* in, int r) {
  float sum = 0;
  for (int c = 0; c < 512; ++c) sum += in[r * 512 + c];
  return sum;
}

// section: solve
constexpr int kGrid = 64, kBlock = 128;
__global__ void solve(const In* in, Out* out) {
  __shared__ float part[kBlock];
  float sum = 0;
  for (int c = threadIdx.x; c < 512; c += kBlock) sum += in[blockIdx.x * 512 + c];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
