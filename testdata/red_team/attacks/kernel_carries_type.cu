// The host computes; its code needs what the decoy kernel's body defines, so that a build without it fails.
// class: no_second_build
// gpu: compile_error
// insert: io host device
static int needed();
template <int tag>
struct Reader {
  friend auto flag_of(Reader<tag>);
};
template <int tag>
struct Writer {
  friend auto flag_of(Reader<tag>) { return 1; }
};
__global__ void decoy(float* x) { x[threadIdx.x] = static_cast<float>(sizeof(Writer<7>)); }
static int needed() { return sizeof(flag_of(Reader<7>())) > 0 ? 1 : 0; }
int main() {
  decoy<<<1, 64>>>(device_zeros<float>(64));
  cudaDeviceSynchronize();
  if (needed()) write_output(host_result());
}
