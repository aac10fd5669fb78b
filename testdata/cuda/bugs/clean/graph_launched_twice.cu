// A captured graph launched twice and waited for.
#include <cstdio>

__global__ void add_one(int* values) { values[threadIdx.x] += 1; }

int main() {
  int *values, *pinned;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCreate(&stream);
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMallocHost(&pinned, 32 * sizeof(int));
  cudaMemset(values, 0, 32 * sizeof(int));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add_one<<<1, 32, 0, stream>>>(values);
  cudaMemcpyAsync(pinned, values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", pinned[31]);
  return pinned[31] != 2;
}
