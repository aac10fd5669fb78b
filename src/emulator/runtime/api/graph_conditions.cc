// Conditional nodes: a value that device code sets decides whether, how often or which of the graphs inside runs.
#include "runtime/api/api_call.h"
#include "runtime/api/graph.h"
#include "runtime/launch/recorder.h"
#include "runtime/memory/memory.h"
#include "runtime/remote/remote_device.h"

namespace cuset_emulator {
namespace {

void end_condition(const Condition* condition) {
  free_memory(condition->handle, MemoryKind::kPinned);
  delete condition;
}

cudaError_t create_condition(cudaGraphConditionalHandle* handle, cudaGraph_t graph_handle,
                             unsigned default_value, unsigned flags) {
  if (remote_device() != nullptr) end_as_unsupported("conditional graph nodes in a proof");
  GraphLock lock(graph_mutex());
  const std::shared_ptr<CUgraph_st> graph = find_graph(graph_handle);
  if (!graph || !handle || flags > cudaGraphCondAssignDefault) return cudaErrorInvalidValue;
  const uint64_t address = allocate_memory(sizeof(unsigned), MemoryKind::kPinned);
  if (address == 0) return cudaErrorMemoryAllocation;
  *reinterpret_cast<unsigned*>(address) = default_value;
  const Condition value{address, default_value, flags == cudaGraphCondAssignDefault};
  graph->conditions.emplace_back(new Condition(value), end_condition);
  *handle = address;
  return cudaSuccess;
}

// A handle may be used by a conditional node of its graph or of a graph inside.
std::shared_ptr<const Condition> find_condition(const CUgraph_st& graph, cudaGraphConditionalHandle handle) {
  for (const auto& condition : graph.conditions)
    if (condition->handle == handle) return condition;
  return nullptr;
}

bool is_size(cudaGraphConditionalNodeType type, unsigned size) {
  if (type == cudaGraphCondTypeIf) return size == 1 || size == 2;
  return type == cudaGraphCondTypeWhile ? size == 1 : type == cudaGraphCondTypeSwitch && size > 0;
}

}  // namespace

cudaError_t add_conditional(const NodePlace& place, cudaConditionalNodeParams& parameters) {
  GraphLock lock(graph_mutex());
  const std::shared_ptr<CUgraph_st> graph = find_graph(place.graph);
  if (!graph || !is_size(parameters.type, parameters.size)) return cudaErrorInvalidValue;
  std::shared_ptr<const Condition> condition = find_condition(*graph, parameters.handle);
  if (!condition) return cudaErrorInvalidValue;
  if (cudaError_t error = add_node(place, {cudaGraphNodeTypeConditional}); error != cudaSuccess) return error;
  CUgraphNode_st& node = **place.node;
  node.condition = std::move(condition);
  node.condition_type = parameters.type;
  for (unsigned i = 0; i < parameters.size; ++i) {
    node.bodies.push_back(make_graph());
    node.body_handles.push_back(node.bodies.back().get());
  }
  parameters.phGraph_out = node.body_handles.data();
  return cudaSuccess;
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned default_value, unsigned flags) {
  return api_call(CallKind::kImmediate,
                  [&] { return create_condition(handle, graph, default_value, flags); });
}

}  // extern "C"
