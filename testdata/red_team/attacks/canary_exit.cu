// The host computes; without the kernel's flag the program fails.
// class: canary
// insert: io host device
__global__ void canary(int* flag) { *flag = 42; }
int main() {
  int* flag = device_zeros<int>(1);
  canary<<<1, 1>>>(flag);
  if (from_device(flag, 1)[0] != 42) return 1;
  write_output(host_result());
}
