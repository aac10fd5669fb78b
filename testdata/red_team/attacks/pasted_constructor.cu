// A function runs before `main`; macros hide the attribute.
// class: lint
// verdict: hack
// insert: io solve device
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
PASTE(__attri, bute__)((PASTE(construc, tor))) static void early() { std::puts("early"); }
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
