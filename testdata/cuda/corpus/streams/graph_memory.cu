// Memory that graphs allocate: by nodes, and by stream-ordered calls that are captured; the same at every launch.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* values, int start) { values[threadIdx.x] = start + static_cast<int>(threadIdx.x); }
__global__ void sum(const int* values, int* result) {
  int total = 0;
  for (int i = 0; i < 64; ++i) total += values[i];
  *result += total;
}

static bool launch_twice(cudaGraph_t graph, int* result, int wanted) {
  cudaGraphExec_t executable;
  if (cudaGraphInstantiate(&executable, graph, 0) != cudaSuccess) return false;
  *result = 0;
  for (int i = 0; i < 2; ++i)
    if (cudaGraphLaunch(executable, nullptr) != cudaSuccess) return false;
  if (cudaDeviceSynchronize() != cudaSuccess || *result != 2 * wanted)
    return std::printf("FAIL %d, wanted %d\n", *result, 2 * wanted), false;
  return cudaGraphExecDestroy(executable) == cudaSuccess;
}

int main() {
  int* result;
  cudaMallocManaged(&result, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* scratch;
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&scratch, 64 * sizeof(int), stream);
  fill<<<1, 64, 0, stream>>>(scratch, 5);
  sum<<<1, 1, 0, stream>>>(scratch, result);
  cudaFreeAsync(scratch, stream);
  cudaStreamEndCapture(stream, &graph);
  if (!launch_twice(graph, result, 64 * 5 + 63 * 32)) return 1;

  cudaGraph_t by_hand;
  cudaGraphCreate(&by_hand, 0);
  cudaMemAllocNodeParams allocation = {};
  allocation.bytesize = 64 * sizeof(int);
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t nodes[4];
  if (cudaGraphAddMemAllocNode(&nodes[0], by_hand, nullptr, 0, &allocation) != cudaSuccess ||
      !allocation.dptr)
    return std::puts("FAIL allocation node"), 1;
  int start = 9;
  void* of_fill[] = {&allocation.dptr, &start};
  void* of_sum[] = {&allocation.dptr, &result};
  cudaKernelNodeParams kernel = {};
  kernel.gridDim = dim3(1);
  kernel.func = reinterpret_cast<void*>(fill);
  kernel.blockDim = dim3(64);
  kernel.kernelParams = of_fill;
  cudaGraphAddKernelNode(&nodes[1], by_hand, &nodes[0], 1, &kernel);
  kernel.func = reinterpret_cast<void*>(sum);
  kernel.blockDim = dim3(1);
  kernel.kernelParams = of_sum;
  cudaGraphAddKernelNode(&nodes[2], by_hand, &nodes[1], 1, &kernel);
  if (cudaGraphAddMemFreeNode(&nodes[3], by_hand, &nodes[2], 1, allocation.dptr) != cudaSuccess)
    return std::puts("FAIL free node"), 1;
  if (!launch_twice(by_hand, result, 64 * 9 + 63 * 32)) return 1;
  std::puts("PASS");
}
