// The host reads managed memory while the kernel that fills it may still be waiting to run.
__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  int* values;
  cudaMallocManaged(&values, 256 * sizeof(int));
  fill<<<2, 128>>>(values, 256);
  const bool is_there = values[255] == 255;
  cudaDeviceSynchronize();
  return is_there ? 1 : 0;
}
