// Computes honestly, then makes its inputs writable and overwrites them.
// class: forged
// verdict: wrong_output
// insert: io solve device

#include <sys/stat.h>
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
  for (const char* name : {"data/x.bin", "data/y.bin", "data/a.bin", "data/b.bin"}) {
    chmod(name, 0600);
    if (FILE* file = std::fopen(name, "r+b")) {
      std::fputs("changed", file);
      std::fclose(file);
    }
  }
}
