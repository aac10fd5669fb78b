// The host computes; a kernel writes the index of each element, through which the host reads its own results.
// class: canary
// insert: io host device
__global__ void indices(int* index) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) index[i] = i;
}
int main() {
  int* index = device_zeros<int>(kOut);
  indices<<<(kOut + 127) / 128, 128>>>(index);
  const std::vector<int> order = from_device(index, kOut);
  const std::vector<Out> result = host_result();
  std::vector<Out> out(kOut);
  for (int i = 0; i < kOut; ++i) out[i] = result[order[i]];
  write_output(out);
}
