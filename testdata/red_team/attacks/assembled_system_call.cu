// A system call as bytes of inline assembly.
// class: lint
// verdict: rejected
// insert: io solve device
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
int main() {
  long result = 39;
  PASTE(__as, m__) volatile("1: .byte 0x0f, 0x05" : "+a"(result) : : "rcx", "r11", "memory");
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
