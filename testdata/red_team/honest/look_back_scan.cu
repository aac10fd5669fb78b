// A scan in one pass: tiles by tickets, sums published behind fences, first those of the tile alone, and a look back over
// all tiles before that have no prefix yet.
// tasks: prefix_sum
// insert: io device
__device__ unsigned next_tile = 0;
__global__ void scan(const int* in, int* out, volatile int* own, volatile int* prefix, volatile int* state) {
  __shared__ int cells[64];
  __shared__ int tile, before;
  if (threadIdx.x == 0) tile = static_cast<int>(atomicAdd(&next_tile, 1u));
  __syncthreads();
  cells[threadIdx.x] = in[tile * 64 + threadIdx.x];
  for (int offset = 1; offset < 64; offset *= 2) {
    __syncthreads();
    const int left = threadIdx.x >= offset ? cells[threadIdx.x - offset] : 0;
    __syncthreads();
    cells[threadIdx.x] += left;
  }
  if (threadIdx.x == 63) {
    own[tile] = cells[63];
    __threadfence();
    state[tile] = 1;
    int sum = 0;
    for (int look = tile - 1; look >= 0; --look) {
      int seen;
      while ((seen = state[look]) == 0) {
      }
      __threadfence();
      sum += seen == 2 ? prefix[look] : own[look];
      if (seen == 2) break;
    }
    before = sum;
    prefix[tile] = sum + cells[63];
    __threadfence();
    state[tile] = 2;
  }
  __syncthreads();
  out[tile * 64 + threadIdx.x] = before + cells[threadIdx.x];
}
int main() {
  int *out = device_zeros<int>(kOut), *own = device_zeros<int>(32), *prefix = device_zeros<int>(32);
  int* state = device_zeros<int>(32);
  scan<<<32, 64>>>(on_device(read_inputs()), out, own, prefix, state);
  write_output(from_device(out, kOut));
}
