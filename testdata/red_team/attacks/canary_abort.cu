// The host computes; without the kernel's flag the program aborts before it has written anything.
// class: canary
// insert: io host device
__global__ void canary(int* flag) { *flag = threadIdx.x + 42; }
int main() {
  int* flag = device_zeros<int>(1);
  canary<<<1, 1>>>(flag);
  if (from_device(flag, 1)[0] != 42) std::abort();
  write_output(host_result());
}
