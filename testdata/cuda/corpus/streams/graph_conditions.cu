// Conditional nodes of graphs: IF with ELSE, WHILE with a default value, SWITCH; bodies by node and by capture.
#include <cuda_runtime.h>

#include <cstdio>

#if CUDART_VERSION >= 13000
#define NO_EDGES nullptr,
#else
#define NO_EDGES
#endif

__global__ void choose(const int* input, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, static_cast<unsigned>(*input));
}
__global__ void add(int* sum, int value) { *sum += value; }
__global__ void count_down(int* left, int* rounds, cudaGraphConditionalHandle handle) {
  ++*rounds;
  if (--*left == 0) cudaGraphSetConditional(handle, 0);
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, void* kernel, void** arguments,
                                  cudaGraphNode_t* before) {
  cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
  params.kernel.func = kernel;
  params.kernel.gridDim = dim3(1);
  params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  cudaGraphAddNode(&node, graph, before, NO_EDGES before ? 1 : 0, &params);
  return node;
}

// What `sum` is after one launch with each input from 0 to 3.
static bool branches(cudaGraphConditionalNodeType type, unsigned bodies, const int (&wanted)[4]) {
  int *input, *sum;
  cudaMallocManaged(&input, sizeof(int));
  cudaMallocManaged(&sum, sizeof(int));
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph);
  void* of_choose[] = {&input, &handle};
  cudaGraphNode_t first = add_kernel(graph, reinterpret_cast<void*>(choose), of_choose, nullptr);
  cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = bodies;
  cudaGraphNode_t conditional;
  if (cudaGraphAddNode(&conditional, graph, &first, NO_EDGES 1, &params) != cudaSuccess) return false;
  for (unsigned i = 0; i < bodies; ++i) {
    int value = 10 * static_cast<int>(i + 1);
    void* of_add[] = {&sum, &value};
    add_kernel(params.conditional.phGraph_out[i], reinterpret_cast<void*>(add), of_add, nullptr);
  }
  cudaGraphExec_t executable;
  if (cudaGraphInstantiate(&executable, graph, 0) != cudaSuccess) return false;
  for (int i = 0; i < 4; ++i) {
    *input = i;
    *sum = 1;
    cudaGraphLaunch(executable, nullptr);
    if (cudaDeviceSynchronize() != cudaSuccess || *sum != wanted[i])
      return std::printf("FAIL type %d, input %d: %d, wanted %d\n", type, i, *sum, wanted[i]), false;
  }
  return cudaGraphExecDestroy(executable) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess;
}

static bool loop() {
  int *left, *rounds;
  cudaMallocManaged(&left, sizeof(int));
  cudaMallocManaged(&rounds, sizeof(int));
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t node;
  cudaGraphAddNode(&node, graph, nullptr, NO_EDGES 0, &params);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCaptureToGraph(stream, params.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                cudaStreamCaptureModeGlobal);
  count_down<<<1, 1, 0, stream>>>(left, rounds, handle);
  cudaStreamEndCapture(stream, nullptr);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  *rounds = 0;
  for (int n : {3, 5}) {
    *left = n;
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
  }
  if (*rounds != 8) return std::printf("FAIL %d rounds\n", *rounds), false;
  return true;
}

int main() {
  if (!branches(cudaGraphCondTypeIf, 1, {1, 11, 11, 11})) return 1;
  if (!branches(cudaGraphCondTypeIf, 2, {21, 11, 11, 11})) return 1;
  if (!branches(cudaGraphCondTypeSwitch, 3, {11, 21, 31, 1})) return 1;
  if (!loop()) return 1;
  std::puts("PASS");
}
