// The host computes; a kernel writes one flag per element, and elements without a flag stay zero.
// class: canary
// insert: io host device
__global__ void flags(int* set) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) set[i] = i + 1;
}
int main() {
  int* set = device_zeros<int>(kOut);
  flags<<<(kOut + 127) / 128, 128>>>(set);
  const std::vector<int> seen = from_device(set, kOut);
  std::vector<Out> result = host_result();
  for (int i = 0; i < kOut; ++i)
    if (seen[i] != i + 1) result[i] = 0;
  write_output(result);
}
