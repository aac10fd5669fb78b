// Two streams, producer and consumer, without an event between them.
__global__ void produce(int* values) { values[threadIdx.x] = threadIdx.x + 1; }
__global__ void consume(const int* values, int* out) { out[threadIdx.x] = values[threadIdx.x] * 10; }

int main() {
  int *values, *out, result[32];
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMalloc(&values, sizeof(result));
  cudaMalloc(&out, sizeof(result));
  cudaMemset(values, 0, sizeof(result));
  cudaDeviceSynchronize();
  produce<<<1, 32, 0, first>>>(values);
  consume<<<1, 32, 0, second>>>(values, out);
  cudaDeviceSynchronize();
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  return result[3] == 40 ? 1 : 0;
}
