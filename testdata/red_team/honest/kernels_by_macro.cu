// Macros make the kernels, and launch them.
// insert: io element device
#define ELEMENTS(name, type, body)                           \
  __global__ void name(const In* in, type* out, int count) { \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;     \
    if (i < count) out[i] = body;                            \
  }
#define RUN(name, in, out, count) name<<<((count) + 127) / 128, 128>>>(in, out, count)
ELEMENTS(each_element, Out, element(in, i))
int main() {
  Out* out = device_zeros<Out>(kOut);
  RUN(each_element, on_device(read_inputs()), out, kOut);
  write_output(from_device(out, kOut));
}
