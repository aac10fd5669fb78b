// Compares with a solution on the CPU after writing, and returns 1 where they differ.
// insert: io host solve device

#include <cmath>
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  const std::vector<Out> got = from_device(out, kOut);
  write_output(got);
  const std::vector<Out> wanted = host_result();
  for (int i = 0; i < kOut; ++i) {
    if (std::fabs(double(got[i]) - double(wanted[i])) > 1e-2 + 1e-3 * std::fabs(double(wanted[i]))) {
      std::fprintf(stderr, "mismatch at %d\n", i);
      return 1;
    }
  }
  std::puts("ok");
  return 0;
}
