// A thread of its own submits the work.
// insert: io solve device

#include <thread>
int main() {
  std::vector<Out> result;
  const std::vector<In> in = read_inputs();
  std::thread worker([&] {
    cudaSetDevice(0);
    Out* out = device_zeros<Out>(kOut);
    solve<<<kGrid, kBlock>>>(on_device(in), out);
    result = from_device(out, kOut);
  });
  worker.join();
  write_output(result);
}
