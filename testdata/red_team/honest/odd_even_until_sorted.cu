// Odd-even transposition until a flag of the device says that nothing was swapped.
// tasks: sort
// insert: io device
__global__ void step(int* values, int phase, int* swapped) {
  const int i = 2 * threadIdx.x + phase;
  if (i + 1 < kOut && values[i] > values[i + 1]) {
    const int kept = values[i];
    values[i] = values[i + 1];
    values[i + 1] = kept;
    atomicExch(swapped, 1);
  }
}
int main() {
  int *values = on_device(read_inputs()), *flag = device_zeros<int>(1);
  int swapped = 1;
  while (swapped) {
    cudaMemset(flag, 0, sizeof(int));
    step<<<1, 256>>>(values, 0, flag);
    step<<<1, 256>>>(values, 1, flag);
    cudaMemcpy(&swapped, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
  write_output(from_device(values, kOut));
}
