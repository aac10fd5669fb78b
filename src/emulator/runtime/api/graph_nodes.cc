// What nodes do, by their parameters: kernels, copies, fills, host functions, events, memory, child graphs. The same
// parameters make a node, change it, or change it in an executable.
#include <memory>
#include <optional>
#include <vector>

#include "cuset_emulator/host_api.h"
#include "cuset_emulator/memory_api.h"
#include "runtime/api/api_call.h"
#include "runtime/api/copy.h"
#include "runtime/api/copy_3d.h"
#include "runtime/api/events.h"
#include "runtime/api/graph.h"
#include "runtime/api/graph_memory.h"
#include "runtime/api/kernel_call.h"

namespace cuset_emulator {
namespace {

// Content, or why there is none.
struct Made {
  cudaError_t error = cudaErrorInvalidValue;
  NodeContent content = {};
};

Made made(cudaGraphNodeType type, Work work) { return {cudaSuccess, {type, std::move(work)}}; }

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

Made content_of(const cudaKernelNodeParams* parameters) {
  if (!parameters || parameters->extra) return {};
  auto call = std::make_shared<KernelCall>();
  call->host_stub = parameters->func;
  call->grid = parameters->gridDim;
  call->block = parameters->blockDim;
  call->dynamic_shared_bytes = parameters->sharedMemBytes;
  if (cudaError_t error = add_arguments(*call, parameters->kernelParams); error != cudaSuccess)
    return {error};
  Made kernel = made(cudaGraphNodeTypeKernel, [call] { return run_call(*call); });
  kernel.content.call = call;
  return kernel;
}

Made content_of(const cudaMemcpy3DParms* parameters) {
  if (!parameters) return {};
  return made(cudaGraphNodeTypeMemcpy, [copy = *parameters] { return copy_3d(copy); });
}

Made content_of(const cudaMemsetParams* parameters) {
  if (!parameters) return {};
  return made(cudaGraphNodeTypeMemset, [to = *parameters] { return fill(to); });
}

Made content_of(const cudaHostNodeParams* parameters) {
  if (!parameters || !parameters->fn) return {};
  return made(cudaGraphNodeTypeHost, [host = *parameters] {
    host.fn(host.userData);
    return cudaSuccess;
  });
}

Made content_of_copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return made(cudaGraphNodeTypeMemcpy, [=] { return copy_bytes(to, from, bytes, kind); });
}

Made content_of_record(cudaEvent_t event) {
  if (!is_event(event)) return {};
  return made(cudaGraphNodeTypeEventRecord, [event] { return cudaEventRecord(event, nullptr); });
}

// What the event stands for is done before anything that is launched later.
Made content_of_wait(cudaEvent_t event) {
  if (!is_event(event)) return {};
  return made(cudaGraphNodeTypeWaitEvent, [] { return cudaSuccess; });
}

Made content_of(cudaMemAllocNodeParams* parameters) {
  if (!parameters || parameters->bytesize == 0) return {};
  const std::shared_ptr<GraphMemory> memory = GraphMemory::allocate(parameters->bytesize);
  if (!memory) return {cudaErrorMemoryAllocation};
  parameters->dptr = reinterpret_cast<void*>(memory->address());
  return made(cudaGraphNodeTypeMemAlloc, [memory] {
    memory->begin_use();
    return cudaSuccess;
  });
}

Made content_of_free(void* pointer) {
  const std::shared_ptr<GraphMemory> memory = find_graph_memory(reinterpret_cast<uint64_t>(pointer));
  if (!memory) return {};
  return made(cudaGraphNodeTypeMemFree, [memory] {
    return end_graph_memory_use(memory->address()) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

Made content_of(cudaGraphNodeParams* parameters) {
  if (!parameters) return {};
  switch (parameters->type) {
    case cudaGraphNodeTypeKernel:
      return content_of(&parameters->kernel);
    case cudaGraphNodeTypeMemcpy:
      return content_of(&parameters->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return content_of(&parameters->memset);
    case cudaGraphNodeTypeHost:
      return content_of(&parameters->host);
    case cudaGraphNodeTypeEmpty:
      return made(cudaGraphNodeTypeEmpty, [] { return cudaSuccess; });
    case cudaGraphNodeTypeWaitEvent:
      return content_of_wait(parameters->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return content_of_record(parameters->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
      return content_of(&parameters->alloc);
    case cudaGraphNodeTypeMemFree:
      return content_of_free(parameters->free.dptr);
    default:
      return {};
  }
}

template <class Body>
cudaError_t immediate(Body body) {
  return api_call(CallKind::kImmediate, body);
}

cudaError_t add(const NodePlace& place, Made node) {
  return node.error == cudaSuccess ? add_node(place, std::move(node.content)) : node.error;
}

cudaError_t set(cudaGraphNode_t node, Made now) {
  if (now.error != cudaSuccess) return now.error;
  GraphLock lock(graph_mutex());
  if (!graph_of(node) || node->content.type != now.content.type) return cudaErrorInvalidValue;
  node->content = std::move(now.content);
  return cudaSuccess;
}

cudaError_t set(cudaGraphExec_t executable, cudaGraphNode_t node, Made now) {
  return now.error == cudaSuccess ? replace_in_executable(executable, node, std::move(now.content))
                                  : now.error;
}

// The child is copied: what is done to it later does not matter here.
cudaError_t add_child(const NodePlace& place, cudaGraph_t child) {
  GraphLock lock(graph_mutex());
  const std::shared_ptr<CUgraph_st> graph = find_graph(child);
  if (!graph) return cudaErrorInvalidValue;
  if (cudaError_t error = add_node(place, {cudaGraphNodeTypeGraph}); error != cudaSuccess) return error;
  CUgraphNode_st& node = **place.node;
  node.bodies = {clone_graph(*graph)};
  node.body_handles = {node.bodies[0].get()};
  return cudaSuccess;
}

cudaError_t add_any(const NodePlace& place, cudaGraphNodeParams* parameters) {
  if (!parameters) return cudaErrorInvalidValue;
  if (parameters->type == cudaGraphNodeTypeConditional)
    return add_conditional(place, parameters->conditional);
  if (parameters->type == cudaGraphNodeTypeGraph) return add_child(place, parameters->graph.graph);
  return add(place, content_of(parameters));
}

// The pointers stay valid as long as the node does what it does.
cudaError_t get_kernel(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  GraphLock lock(graph_mutex());
  if (!parameters || !graph_of(node) || !node->content.call) return cudaErrorInvalidValue;
  const KernelCall& call = *node->content.call;
  *parameters = {const_cast<void*>(call.host_stub),
                 call.grid,
                 call.block,
                 static_cast<unsigned>(call.dynamic_shared_bytes),
                 call.arguments.pointers(),
                 nullptr};
  return cudaSuccess;
}

cudaError_t get_memory_attribute(cudaGraphMemAttributeType attribute, void* value) {
  if (!value || attribute < cudaGraphMemAttrUsedMemCurrent || attribute > cudaGraphMemAttrReservedMemHigh)
    return cudaErrorInvalidValue;
  const GraphMemoryUse use = graph_memory_use();
  const uint64_t values[] = {use.used, use.most_used, use.reserved, use.most_reserved};
  *static_cast<uint64_t*>(value) = values[attribute];
  return cudaSuccess;
}

}  // namespace
}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                   size_t count, const cudaKernelNodeParams* parameters) {
  return immediate([&] { return add({node, graph, before, count}, content_of(parameters)); });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                   size_t count, const cudaMemcpy3DParms* parameters) {
  return immediate([&] { return add({node, graph, before, count}, content_of(parameters)); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                     size_t count, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
  return immediate([&] { return add({node, graph, before, count}, content_of_copy(to, from, bytes, kind)); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                   size_t count, const cudaMemsetParams* parameters) {
  return immediate([&] { return add({node, graph, before, count}, content_of(parameters)); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                 size_t count, const cudaHostNodeParams* parameters) {
  return immediate([&] { return add({node, graph, before, count}, content_of(parameters)); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                  size_t count) {
  return immediate([&] {
    return add({node, graph, before, count}, made(cudaGraphNodeTypeEmpty, [] { return cudaSuccess; }));
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* before, size_t count, cudaGraph_t child) {
  return immediate([&] { return add_child({node, graph, before, count}, child); });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child) {
  return immediate([&] {
    GraphLock lock(graph_mutex());
    if (!child || !graph_of(node) || node->content.type != cudaGraphNodeTypeGraph || node->bodies.empty())
      return cudaErrorInvalidValue;
    *child = node->bodies[0].get();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* before, size_t count, cudaEvent_t event) {
  return immediate([&] { return add({node, graph, before, count}, content_of_record(event)); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                      size_t count, cudaEvent_t event) {
  return immediate([&] { return add({node, graph, before, count}, content_of_wait(event)); });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                     size_t count, cudaMemAllocNodeParams* parameters) {
  return immediate([&] { return add({node, graph, before, count}, content_of(parameters)); });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                    size_t count, void* memory) {
  return immediate([&] { return add({node, graph, before, count}, content_of_free(memory)); });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                             size_t count, cudaGraphNodeParams* parameters) {
  return immediate([&] { return add_any({node, graph, before, count}, parameters); });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return immediate([&] { return get_kernel(node, parameters); });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  return immediate([&] { return set(node, content_of(parameters)); });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  return immediate([&] { return set(node, content_of(parameters)); });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
  return immediate([&] { return set(node, content_of_copy(to, from, bytes, kind)); });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return immediate([&] { return set(node, content_of(parameters)); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return immediate([&] { return set(node, content_of(parameters)); });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return immediate([&] { return set(node, content_of(parameters)); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return immediate([&] { return set(executable, node, content_of(parameters)); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return immediate([&] { return set(executable, node, content_of(parameters)); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind) {
  return immediate([&] { return set(executable, node, content_of_copy(to, from, bytes, kind)); });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return immediate([&] { return set(executable, node, content_of(parameters)); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return immediate([&] { return set(executable, node, content_of(parameters)); });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  return immediate([&] { return set(executable, node, content_of(parameters)); });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return immediate(
      [&] { return device == 0 ? get_memory_attribute(attribute, value) : cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return immediate([&] {
    const bool resets =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (device != 0) return cudaErrorInvalidDevice;
    if (!value || !resets || *static_cast<uint64_t*>(value) != 0) return cudaErrorInvalidValue;
    reset_graph_memory_peaks();
    return cudaSuccess;
  });
}

// Nothing is held back.
cudaError_t cudaDeviceGraphMemTrim(int device) {
  return immediate([&] { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

}  // extern "C"
