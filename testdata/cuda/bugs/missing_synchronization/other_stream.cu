// The program waits for one stream and copies what another computed, in a stream that does not wait for others.
__global__ void fill(int* values, int value) { values[threadIdx.x] = value; }

int main() {
  int *a, *b, *pinned;
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaMalloc(&a, 32 * sizeof(int));
  cudaMalloc(&b, 32 * sizeof(int));
  cudaMemset(b, 0, 32 * sizeof(int));
  cudaDeviceSynchronize();
  cudaMallocHost(&pinned, 32 * sizeof(int));
  fill<<<1, 32, 0, first>>>(a, 1);
  fill<<<1, 32, 0, second>>>(b, 2);
  cudaMemcpyAsync(pinned, b, 32 * sizeof(int), cudaMemcpyDeviceToHost, first);
  cudaStreamSynchronize(first);
  return pinned[5] == 2 ? 1 : 0;
}
