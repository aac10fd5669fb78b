// Producer and consumer in two streams with an event between them; pinned memory read after waiting.
#include <cstdio>

__global__ void produce(int* values) { values[threadIdx.x] = threadIdx.x + 1; }
__global__ void consume(const int* values, int* out) { out[threadIdx.x] = values[threadIdx.x] * 10; }

int main() {
  int *values, *out, *pinned;
  cudaStream_t first, second;
  cudaEvent_t made, start, end;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMallocHost(&pinned, 32 * sizeof(int));
  cudaEventRecord(start, first);
  produce<<<1, 32, 0, first>>>(values);
  cudaEventRecord(made, first);
  cudaStreamWaitEvent(second, made, 0);
  consume<<<1, 32, 0, second>>>(values, out);
  cudaMemcpyAsync(pinned, out, 32 * sizeof(int), cudaMemcpyDeviceToHost, second);
  cudaEventRecord(end, second);
  while (cudaEventQuery(end) == cudaErrorNotReady) {
  }
  float milliseconds = -1;
  if (cudaEventElapsedTime(&milliseconds, start, end) != cudaSuccess || milliseconds < 0) return 2;
  printf("%d\n", pinned[31]);
  return pinned[31] != 320;
}
