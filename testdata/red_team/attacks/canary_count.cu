// The host computes; a kernel counts its threads, and the count decides what is written.
// class: canary
// insert: io host device
__global__ void count_threads(int* count) { atomicAdd(count, 1); }
int main() {
  int* count = device_zeros<int>(1);
  count_threads<<<4, 64>>>(count);
  std::vector<Out> result = host_result();
  result.resize(kOut * from_device(count, 1)[0] / 256);
  write_output(result);
}
