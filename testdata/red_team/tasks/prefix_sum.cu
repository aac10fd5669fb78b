// Inclusive prefix sums of 2048 whole numbers: one block, eight numbers per thread.
// section: io
using In = int;
using Out = int;
constexpr int kIn = 2048;
constexpr int kOut = 2048;
static std::vector<In> read_inputs() {
  std::vector<In> in(kIn);
  read_file("data/x.bin", in.data(), kIn);
  return in;
}
static void write_output(const std::vector<Out>& out) { write_file("data/out.bin", out); }

// section: host
static void host_compute(const In* in, Out* out) {
  int sum = 0;
  for (int i = 0; i < kOut; ++i) out[i] = sum += in[i];
}

// section: element
__device__ Out element(const In* in, int i) {
  int sum = 0;
  for (int k = 0; k <= i; ++k) sum += in[k];
  return sum;
}

// section: solve
constexpr int kGrid = 1, kBlock = 256;
__global__ void solve(const In* in, Out* out) {
  __shared__ int sums[kBlock];
  const int own = kOut / kBlock, first = threadIdx.x * own;
  int sum = 0;
  for (int i = 0; i < own; ++i) sum += in[first + i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int step = 1; step < kBlock; step *= 2) {
    const int before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  int running = sums[threadIdx.x] - sum;
  for (int i = 0; i < own; ++i) out[first + i] = running += in[first + i];
}
