// The kernel is chosen through a pointer.
// insert: io solve device
using Kernel = decltype(&solve);
static Kernel chosen() { return &solve; }
int main() {
  Out* out = device_zeros<Out>(kOut);
  const Kernel kernel = chosen();
  kernel<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
