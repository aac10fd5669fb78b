// The coefficients are a table of the host in constant memory (Horner's rule).
// tasks: polynomial
// insert: io device
__constant__ int coefficients[3];
__global__ void horner(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kOut) return;
  int value = 0;
  for (const int c : coefficients) value = value * in[i] + c;
  out[i] = value;
}
int main() {
  const int table[3] = {3, 7, 1};
  cudaMemcpyToSymbol(coefficients, table, sizeof(table));
  int* out = device_zeros<int>(kOut);
  horner<<<(kOut + 255) / 256, 256>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
