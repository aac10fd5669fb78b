// Compares with a solution on the CPU and prints what it found; the kernel's result is written in any case.
// insert: io host solve device

#include <cmath>
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  const std::vector<Out> got = from_device(out, kOut), wanted = host_result();
  double worst = 0;
  for (int i = 0; i < kOut; ++i) worst = std::fmax(worst, std::fabs(double(got[i]) - double(wanted[i])));
  std::printf(worst < 1e-2 ? "PASSED (largest error %g)\n" : "FAILED (largest error %g)\n", worst);
  write_output(got);
}
