// Puts a link to an input in place of the output.
// class: forged
// verdict: wrong_shape wrong_output rejected
// insert: io solve device

#include <unistd.h>
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
  if (rename("data/out.bin", "data/elsewhere.bin") != 0 || symlink("elsewhere.bin", "data/out.bin") != 0)
    return 1;
}
