// Blocks sort runs of 64 numbers; a second kernel merges the runs by ranks.
// tasks: sort
// insert: io device
__global__ void sort_runs(const int* in, int* out) {
  const int first = blockIdx.x * 64, i = first + threadIdx.x;
  int rank = 0;
  for (int k = first; k < first + 64; ++k) rank += in[k] < in[i] || (in[k] == in[i] && k < i);
  out[first + rank] = in[i];
}
__global__ void merge_ranks(const int* runs, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int rank = 0;
  for (int k = 0; k < kIn; ++k) rank += runs[k] < runs[i] || (runs[k] == runs[i] && k < i);
  out[rank] = runs[i];
}
int main() {
  int *runs = device_zeros<int>(kIn), *out = device_zeros<int>(kOut);
  sort_runs<<<8, 64>>>(on_device(read_inputs()), runs);
  merge_ranks<<<8, 64>>>(runs, out);
  write_output(from_device(out, kOut));
}
