// The host computes; the build without kernels does not compile, because a name pasted together is missing there.
// class: no_second_build
// verdict: compile_error host_work no_kernel hack
// insert: io host device
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
__global__ void decoy(float* x) { x[threadIdx.x] = 1; }
__device__ int peek() { return PASTE(cu, set_noop); }
int main() {
  decoy<<<1, 64>>>(device_zeros<float>(64));
  cudaDeviceSynchronize();
  write_output(host_result());
}
