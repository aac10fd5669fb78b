// Graphs that change after they were instantiated: parameters of one node, a whole update, a node switched off, a child graph.
// errors: on purpose
#include <cuda_runtime.h>

#include <cstdio>

__global__ void scale(int* values, int factor) { values[threadIdx.x] *= factor; }

static cudaGraph_t captured(cudaStream_t stream, int* values, int first, int second, int launches) {
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  scale<<<1, 4, 0, stream>>>(values, first);
  for (int i = 1; i < launches; ++i) scale<<<1, 4, 0, stream>>>(values, second);
  cudaStreamEndCapture(stream, &graph);
  return graph;
}

int main() {
  int* values;
  cudaMallocManaged(&values, 4 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph = captured(stream, values, 2, 3, 2);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  const auto run = [&](const char* what, int wanted) {
    for (int i = 0; i < 4; ++i) values[i] = 1;
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < 4; ++i)
      if (values[i] != wanted) return std::printf("FAIL %s: %d, wanted %d\n", what, values[i], wanted), false;
    return true;
  };
  if (!run("instantiated", 6)) return 1;

  cudaGraphExecUpdateResultInfo info;
  if (cudaGraphExecUpdate(executable, captured(stream, values, 5, 7, 2), &info) != cudaSuccess ||
      info.result != cudaGraphExecUpdateSuccess || !run("updated", 35))
    return std::puts("FAIL update"), 1;
  if (cudaGraphExecUpdate(executable, captured(stream, values, 5, 7, 3), &info) == cudaSuccess ||
      info.result != cudaGraphExecUpdateErrorTopologyChanged)
    return std::puts("FAIL update with another node"), 1;
  cudaGetLastError();

  cudaGraphNode_t nodes[2];
  size_t count = 2;
  cudaGraphGetNodes(graph, nodes, &count);
  cudaGraphNodeType type;
  cudaGraphNodeGetType(nodes[1], &type);
  cudaKernelNodeParams params;
  if (count != 2 || type != cudaGraphNodeTypeKernel ||
      cudaGraphKernelNodeGetParams(nodes[0], &params) != cudaSuccess || params.blockDim.x != 4)
    return std::puts("FAIL nodes"), 1;
  cudaGraphExecDestroy(executable);
  cudaGraphInstantiate(&executable, graph, 0);
  int factor = 11;
  void* arguments[] = {&values, &factor};
  params.kernelParams = arguments;
  if (cudaGraphExecKernelNodeSetParams(executable, nodes[0], &params) != cudaSuccess || !run("node set", 33))
    return 1;
  cudaGraphNodeSetEnabled(executable, nodes[1], 0);
  if (!run("node off", 11)) return 1;

  cudaGraph_t outer;
  cudaGraphNode_t child;
  cudaGraphCreate(&outer, 0);
  cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph);
  cudaGraphExecDestroy(executable);
  cudaGraphInstantiate(&executable, outer, 0);
  if (!run("child graph", 6)) return 1;
  std::puts("PASS");
}
