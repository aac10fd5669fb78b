// The kernel is chosen through a pointer whose type is written out. The CPU executor marks kernels in their type and
// cannot compile that.
// verdict: correct unsupported
// insert: io solve device
using Kernel = void (*)(const In*, Out*);
static Kernel chosen() { return &solve; }
int main() {
  Out* out = device_zeros<Out>(kOut);
  const Kernel kernel = chosen();
  kernel<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
