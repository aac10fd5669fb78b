// The host reuses the pinned buffer before the copy out of it is done.
__global__ void add_one(int* values) { values[threadIdx.x] += 1; }

int main() {
  int *device, *pinned, result[32];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&device, sizeof(result));
  cudaMallocHost(&pinned, sizeof(result));
  for (int i = 0; i < 32; ++i) pinned[i] = i;
  cudaMemcpyAsync(device, pinned, sizeof(result), cudaMemcpyHostToDevice, stream);
  for (int i = 0; i < 32; ++i) pinned[i] = 0;
  add_one<<<1, 32, 0, stream>>>(device);
  cudaStreamSynchronize(stream);
  cudaMemcpy(result, device, sizeof(result), cudaMemcpyDeviceToHost);
  return result[31] == 32 ? 1 : 0;
}
