// The copy back to pinned memory is in a stream that nobody waits for.
__global__ void fill(int* values) { values[threadIdx.x] = 7 + threadIdx.x; }

int main() {
  int *device, *pinned;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&device, 64 * sizeof(int));
  cudaMallocHost(&pinned, 64 * sizeof(int));
  fill<<<1, 64, 0, stream>>>(device);
  cudaMemcpyAsync(pinned, device, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  const bool is_there = pinned[63] == 70;
  cudaStreamSynchronize(stream);
  return is_there ? 1 : 0;
}
