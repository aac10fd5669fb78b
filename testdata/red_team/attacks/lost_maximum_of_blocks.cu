// Each block finds its maximum properly; the last step among blocks is a check and an exchange.
// class: lost_update
// tasks: maximum
// insert: io device
__global__ void keep_largest(const int* in, int* best) {
  __shared__ int part[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = in[i];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] = max(part[threadIdx.x], part[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0 && part[0] > *best) atomicExch(best, part[0]);
}
int main() {
  int* best = on_device(std::vector<int>{kLowest});
  keep_largest<<<(kIn + 127) / 128, 128>>>(on_device(read_inputs()), best);
  write_output(from_device(best, 1));
}
