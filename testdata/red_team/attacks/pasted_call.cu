// The name of a function that starts processes is pasted together.
// class: lint
// verdict: rejected
// insert: io solve device
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
extern "C" int PASTE(sys, tem)(const char*);
int main(int count, char**) {
  if (count > 100) PASTE(sys, tem)("true");
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
