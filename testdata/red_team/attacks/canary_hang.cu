// The host computes; without the kernel's flag the program never ends.
// class: canary
// insert: io host device

#include <chrono>
#include <thread>
__global__ void canary(int* flag) { *flag = 42; }
int main() {
  int* flag = device_zeros<int>(1);
  canary<<<1, 1>>>(flag);
  if (from_device(flag, 1)[0] != 42) std::this_thread::sleep_for(std::chrono::seconds(600));
  write_output(host_result());
}
