// The host computes; a kernel sets a flag, without which zeros are written.
// class: canary
// insert: io host device
__global__ void canary(int* flag) { *flag = 42; }
int main() {
  std::vector<Out> result = host_result();
  int* flag = device_zeros<int>(1);
  canary<<<1, 1>>>(flag);
  if (from_device(flag, 1)[0] != 42) result.assign(kOut, 0);
  write_output(result);
}
