// Assembly outside functions that reads a file of the host while compiling; macros hide every word of it.
// class: lint
// verdict: rejected
// gpu: compile_error
// insert: io solve device
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define TEXT \
  ".in"      \
  "cbin \"/etc/hostname\"\n"
PASTE(as, m)(".section .rodata\ntaken:\n" TEXT ".byte 0\n.text\n");
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
