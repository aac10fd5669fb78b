// The sum of 8192 numbers: one block, a tree in shared memory.
// section: io
using In = float;
using Out = float;
constexpr int kIn = 8192;
constexpr int kOut = 1;
static std::vector<In> read_inputs() {
  std::vector<In> in(kIn);
  read_file("data/x.bin", in.data(), kIn);
  return in;
}
static void write_output(const std::vector<Out>& out) { write_file("data/out.bin", out); }

// section: host
static void host_compute(const In* in, Out* out) {
  double sum = 0;
  for (int i = 0; i < kIn; ++i) sum += in[i];
  out[0] = static_cast<float>(sum);
}

// section: element
__device__ Out element(const In* in, int) {
  float sum = 0;
  for (int i = 0; i < kIn; ++i) sum += in[i];
  return sum;
}

// section: solve
constexpr int kGrid = 1, kBlock = 256;
__global__ void solve(const In* in, Out* out) {
  __shared__ float part[kBlock];
  float sum = 0;
  for (int i = threadIdx.x; i < kIn; i += kBlock) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = part[0];
}
