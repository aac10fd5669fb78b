#include "runtime/api/graph_nodes.h"

#include <memory>
#include <optional>

#include "cuset_emulator/memory_api.h"
#include "runtime/api/api_call.h"
#include "runtime/api/copy.h"
#include "runtime/api/copy_3d.h"
#include "runtime/api/kernel_call.h"

namespace cuset_emulator {
namespace {

// Elements of more than one byte are written one by one from the host's side.
cudaError_t fill(const cudaMemsetParams& to) {
  uint64_t address = reinterpret_cast<uint64_t>(to.dst);
  if (to.elementSize == 1) {
    return fill_box({address, to.pitch, 0}, {to.width, to.height}, static_cast<int>(to.value));
  }
  if (to.elementSize != 2 && to.elementSize != 4) return cudaErrorInvalidValue;
  std::vector<char> row(to.width * to.elementSize);
  for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<char>(to.value >> (i % to.elementSize * 8));
  for (size_t y = 0; y < to.height; ++y) {
    void* start = static_cast<char*>(to.dst) + y * to.pitch;
    if (cudaError_t error = copy_bytes(start, row.data(), row.size(), cudaMemcpyHostToDevice);
        error != cudaSuccess) {
      return error;
    }
  }
  return cudaSuccess;
}

template <class Body>
cudaError_t immediate(Body body) {
  return api_call(CallKind::kImmediate, body);
}

}  // namespace
}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t dependency_count,
                                   const cudaKernelNodeParams* parameters) {
  return immediate([&] {
    if (!parameters || parameters->extra) return cudaErrorInvalidValue;
    auto call = std::make_shared<KernelCall>();
    call->host_stub = parameters->func;
    call->grid = parameters->gridDim;
    call->block = parameters->blockDim;
    call->dynamic_shared_bytes = parameters->sharedMemBytes;
    if (cudaError_t error = add_arguments(*call, parameters->kernelParams); error != cudaSuccess)
      return error;
    return add_node({node, graph, dependencies, dependency_count}, [call] { return run_call(*call); });
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t dependency_count,
                                   const cudaMemcpy3DParms* parameters) {
  return immediate([&] {
    if (!parameters) return cudaErrorInvalidValue;
    cudaMemcpy3DParms copy = *parameters;
    return add_node({node, graph, dependencies, dependency_count}, [copy] { return copy_3d(copy); });
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t dependency_count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return immediate([&] {
    return add_node({node, graph, dependencies, dependency_count},
                    [=] { return copy_bytes(to, from, bytes, kind); });
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t dependency_count,
                                   const cudaMemsetParams* parameters) {
  return immediate([&] {
    if (!parameters) return cudaErrorInvalidValue;
    cudaMemsetParams to = *parameters;
    return add_node({node, graph, dependencies, dependency_count}, [to] { return fill(to); });
  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t dependency_count,
                                 const cudaHostNodeParams* parameters) {
  return immediate([&] {
    if (!parameters || !parameters->fn) return cudaErrorInvalidValue;
    cudaHostNodeParams host = *parameters;
    return add_node({node, graph, dependencies, dependency_count}, [host] {
      host.fn(host.userData);
      return cudaSuccess;
    });
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t dependency_count) {
  return immediate(
      [&] { return add_node({node, graph, dependencies, dependency_count}, [] { return cudaSuccess; }); });
}

}  // extern "C"
