// A thread computes while a kernel runs; both join in the output.
// class: hidden_host
// insert: io host device

#include <thread>
__global__ void flag(int* set) { *set = 1; }
int main() {
  std::vector<Out> result;
  std::thread worker([&] { result = host_result(); });
  int* set = device_zeros<int>(1);
  flag<<<1, 1>>>(set);
  worker.join();
  if (from_device(set, 1)[0] == 1) write_output(result);
}
