#include "runtime/api/graphs.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <vector>

#include "runtime/api/api_call.h"
#include "runtime/api/graph.h"
#include "runtime/api/streams.h"

bool CUgraph_st::holds(cudaGraphNode_t node) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& mine) { return mine.get() == node; });
}

namespace cuset_emulator {
namespace {

struct Graphs {
  std::recursive_mutex mutex;
  std::map<cudaGraph_t, std::shared_ptr<CUgraph_st>> living;
  std::map<cudaStream_t, CUgraph_st*> captures;  // by the stream that began
  std::map<cudaStream_t, CUgraph_st*> capturing;
  std::map<cudaEvent_t, CUgraph_st*> events;
  std::atomic<bool> any_capture{false};
};

Graphs& graphs() {
  static Graphs& instance = *new Graphs;
  return instance;
}

// Into a new graph where `graph` is null.
cudaError_t begin_capture(cudaStream_t stream, cudaGraph_t graph) {
  if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (stream == nullptr || stream == cudaStreamLegacy) return cudaErrorStreamCaptureUnsupported;
  GraphLock lock(graphs().mutex);
  if (graphs().capturing.count(stream)) return cudaErrorIllegalState;
  const std::shared_ptr<CUgraph_st> target = graph ? find_graph(graph) : make_graph();
  if (!target) return cudaErrorInvalidValue;
  graphs().capturing[stream] = target.get();
  graphs().captures[stream] = target.get();
  graphs().any_capture = true;
  return cudaSuccess;
}

cudaError_t begin_capture_to(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             size_t count) {
  GraphLock lock(graphs().mutex);
  const std::shared_ptr<CUgraph_st> target = find_graph(graph);
  if (!target || (count > 0 && !dependencies)) return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i)
    if (!target->holds(dependencies[i])) return cudaErrorInvalidValue;
  if (cudaError_t error = begin_capture(stream, graph); error != cudaSuccess) return error;
  target->last.assign(dependencies, dependencies + count);
  return cudaSuccess;
}

// A capture into a graph that was there already needs no answer.
cudaError_t end_capture(cudaStream_t stream, cudaGraph_t* graph) {
  GraphLock lock(graphs().mutex);
  auto found = graphs().captures.find(stream);
  if (graph) *graph = nullptr;
  if (found == graphs().captures.end()) {
    return graphs().capturing.count(stream) ? cudaErrorStreamCaptureUnmatched : cudaErrorIllegalState;
  }
  CUgraph_st* made = found->second;
  graphs().captures.erase(found);
  std::erase_if(graphs().capturing, [&](const auto& entry) { return entry.second == made; });
  std::erase_if(graphs().events, [&](const auto& entry) { return entry.second == made; });
  graphs().any_capture = !graphs().captures.empty();
  if (graph) *graph = made;
  return cudaSuccess;
}

cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                         cudaGraph_t* graph, const cudaGraphNode_t** dependencies, size_t* count) {
  if (!status) return cudaErrorInvalidValue;
  if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
  GraphLock lock(graphs().mutex);
  auto found = graphs().capturing.find(stream);
  *status = found == graphs().capturing.end() ? cudaStreamCaptureStatusNone : cudaStreamCaptureStatusActive;
  if (found == graphs().capturing.end()) return cudaSuccess;
  CUgraph_st& target = *found->second;
  if (id) *id = reinterpret_cast<unsigned long long>(&target);
  if (graph) *graph = &target;
  if (dependencies) *dependencies = target.last.data();
  if (count) *count = target.last.size();
  return cudaSuccess;
}

cudaError_t update_dependencies(cudaStream_t stream, const cudaGraphNode_t* nodes, size_t count,
                                unsigned flags) {
  GraphLock lock(graphs().mutex);
  auto found = graphs().capturing.find(stream);
  if (found == graphs().capturing.end()) return cudaErrorIllegalState;
  CUgraph_st& target = *found->second;
  if ((count > 0 && !nodes) || flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i)
    if (!target.holds(nodes[i])) return cudaErrorInvalidValue;
  if (flags == cudaStreamSetCaptureDependencies) target.last.clear();
  target.last.insert(target.last.end(), nodes, nodes + count);
  return cudaSuccess;
}

// Writes as many as the caller has room for, and how many there are where it has none.
cudaError_t list_nodes(const std::vector<cudaGraphNode_t>& found, cudaGraphNode_t* nodes, size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  if (nodes) {
    for (size_t i = 0; i < *count; ++i) nodes[i] = i < found.size() ? found[i] : nullptr;
    *count = std::min(*count, found.size());
  } else {
    *count = found.size();
  }
  return cudaSuccess;
}

cudaError_t get_nodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count, bool only_roots) {
  GraphLock lock(graphs().mutex);
  const std::shared_ptr<CUgraph_st> graph = find_graph(handle);
  if (!graph) return cudaErrorInvalidValue;
  std::vector<cudaGraphNode_t> found;
  for (const auto& node : graph->nodes)
    if (!only_roots || node->before.empty()) found.push_back(node.get());
  return list_nodes(found, nodes, count);
}

cudaError_t get_edges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  GraphLock lock(graphs().mutex);
  const std::shared_ptr<CUgraph_st> graph = find_graph(handle);
  if (!graph || !count || (from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
  std::vector<cudaGraphNode_t> begins, ends;
  for (const auto& node : graph->nodes) {
    for (cudaGraphNode_t before : node->before) {
      begins.push_back(before);
      ends.push_back(node.get());
    }
  }
  size_t room = *count;
  if (cudaError_t error = list_nodes(begins, from, &room); error != cudaSuccess) return error;
  return list_nodes(ends, to, count);
}

// `change(node, before)` for every pair.
template <class Change>
cudaError_t change_dependencies(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                size_t count, Change change) {
  GraphLock lock(graphs().mutex);
  const std::shared_ptr<CUgraph_st> graph = find_graph(handle);
  if (!graph || (count > 0 && (!from || !to))) return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    if (!graph->holds(from[i]) || !graph->holds(to[i])) return cudaErrorInvalidValue;
    change(*to[i], from[i]);
  }
  return cudaSuccess;
}

cudaError_t destroy_node(cudaGraphNode_t node) {
  GraphLock lock(graphs().mutex);
  CUgraph_st* graph = graph_of(node);
  if (!graph) return cudaErrorInvalidValue;
  for (const auto& other : graph->nodes) std::erase(other->before, node);
  std::erase(graph->last, node);
  for (const auto& body : node->bodies) forget_graph(body.get());
  std::erase_if(graph->nodes, [&](const auto& mine) { return mine.get() == node; });
  return cudaSuccess;
}

template <class Body>
cudaError_t immediate(Body body) {
  return api_call(CallKind::kImmediate, body);
}

}  // namespace

std::recursive_mutex& graph_mutex() { return graphs().mutex; }

std::shared_ptr<CUgraph_st> find_graph(cudaGraph_t graph) {
  auto found = graphs().living.find(graph);
  return found == graphs().living.end() ? nullptr : found->second;
}

CUgraph_st* graph_of(cudaGraphNode_t node) {
  for (const auto& [handle, graph] : graphs().living)
    if (graph->holds(node)) return graph.get();
  return nullptr;
}

std::shared_ptr<CUgraph_st> make_graph() {
  auto made = std::make_shared<CUgraph_st>();
  graphs().living.emplace(made.get(), made);
  return made;
}

void forget_graph(cudaGraph_t handle) {
  const std::shared_ptr<CUgraph_st> graph = find_graph(handle);
  if (!graph) return;
  for (const auto& node : graph->nodes)
    for (const auto& body : node->bodies) forget_graph(body.get());
  graphs().living.erase(handle);
}

std::vector<cudaGraphNode_t> ordered_nodes(const CUgraph_st& graph) {
  std::vector<cudaGraphNode_t> order;
  std::set<cudaGraphNode_t> done;
  for (bool progress = true; progress && order.size() < graph.nodes.size();) {
    progress = false;
    for (const auto& node : graph.nodes) {
      auto is_done = [&](cudaGraphNode_t other) { return done.count(other) > 0; };
      if (is_done(node.get()) || !std::all_of(node->before.begin(), node->before.end(), is_done)) continue;
      done.insert(node.get());
      order.push_back(node.get());
      progress = true;
    }
  }
  return order;
}

std::shared_ptr<CUgraph_st> clone_graph(const CUgraph_st& graph) {
  const std::shared_ptr<CUgraph_st> made = make_graph();
  made->conditions = graph.conditions;
  std::map<cudaGraphNode_t, cudaGraphNode_t> twins;
  for (const auto& node : graph.nodes) {
    made->nodes.push_back(std::make_unique<CUgraphNode_st>(*node));
    CUgraphNode_st& twin = *made->nodes.back();
    twin.original = node.get();
    for (auto& body : twin.bodies) body = clone_graph(*body);
    for (size_t i = 0; i < twin.bodies.size(); ++i) twin.body_handles[i] = twin.bodies[i].get();
    twins[node.get()] = &twin;
  }
  for (auto& node : made->nodes) {
    for (cudaGraphNode_t& before : node->before) before = twins[before];
  }
  return made;
}

bool is_capturing(cudaStream_t stream) {
  if (!graphs().any_capture) return false;
  GraphLock lock(graphs().mutex);
  return graphs().capturing.count(stream) > 0;
}

bool capture(cudaStream_t stream, NodeContent content) {
  GraphLock lock(graphs().mutex);
  auto found = graphs().capturing.find(stream);
  if (found == graphs().capturing.end()) return false;
  // In the order of the calls, which keeps the order of every stream and of every event.
  CUgraph_st& graph = *found->second;
  graph.nodes.push_back(std::make_unique<CUgraphNode_st>(CUgraphNode_st{std::move(content), graph.last}));
  graph.last = {graph.nodes.back().get()};
  return true;
}

void capture_event(cudaEvent_t event, cudaStream_t stream) {
  GraphLock lock(graphs().mutex);
  if (auto found = graphs().capturing.find(stream); found != graphs().capturing.end()) {
    graphs().events[event] = found->second;
  } else {
    graphs().events.erase(event);
  }
}

void join_capture(cudaStream_t stream, cudaEvent_t event) {
  if (!graphs().any_capture) return;
  GraphLock lock(graphs().mutex);
  auto found = graphs().events.find(event);
  if (found != graphs().events.end()) graphs().capturing.emplace(stream, found->second);
}

cudaError_t add_node(const NodePlace& place, NodeContent content) {
  GraphLock lock(graphs().mutex);
  const std::shared_ptr<CUgraph_st> graph = find_graph(place.graph);
  if (!graph || !place.node || (place.dependency_count > 0 && !place.dependencies))
    return cudaErrorInvalidValue;
  std::vector<cudaGraphNode_t> before(place.dependencies, place.dependencies + place.dependency_count);
  for (cudaGraphNode_t node : before) {
    if (!graph->holds(node)) return cudaErrorInvalidValue;
  }
  graph->nodes.push_back(
      std::make_unique<CUgraphNode_st>(CUgraphNode_st{std::move(content), std::move(before)}));
  *place.node = graph->nodes.back().get();
  return cudaSuccess;
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return immediate([&] { return begin_capture(stream, nullptr); });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                                          size_t count, cudaStreamCaptureMode) {
  return immediate([&] { return begin_capture_to(stream, graph, dependencies, count); });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return immediate([&] { return end_capture(stream, graph); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return immediate([&] { return capture_info(stream, status, nullptr, nullptr, nullptr, nullptr); });
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, size_t* count) {
  return immediate([&] { return capture_info(stream, status, id, graph, dependencies, count); });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, size_t count,
                                                unsigned flags) {
  return immediate([&] { return update_dependencies(stream, nodes, count, flags); });
}

// Nothing here is unsafe while a stream captures.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  return immediate([&] {
    if (!mode) return cudaErrorInvalidValue;
    std::swap(*mode, current);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  return immediate([&] {
    if (!graph) return cudaErrorInvalidValue;
    GraphLock lock(graph_mutex());
    *graph = make_graph().get();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t graph) {
  return immediate([&] {
    GraphLock lock(graph_mutex());
    const std::shared_ptr<CUgraph_st> original = find_graph(graph);
    if (!original || !copy) return cudaErrorInvalidValue;
    *copy = clone_graph(*original).get();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return immediate([&] {
    GraphLock lock(graph_mutex());
    if (!find_graph(graph)) return cudaErrorInvalidValue;
    forget_graph(graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return immediate([&] { return get_nodes(graph, nodes, count, false); });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return immediate([&] { return get_nodes(graph, nodes, count, true); });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  return immediate([&] { return get_edges(graph, from, to, count); });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
  return immediate([&] {
    GraphLock lock(graph_mutex());
    return graph_of(node) ? list_nodes(node->before, nodes, count) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return immediate([&] {
    GraphLock lock(graph_mutex());
    if (!type || !graph_of(node)) return cudaErrorInvalidValue;
    *type = node->content.type;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* twin, cudaGraphNode_t node, cudaGraph_t clone) {
  return immediate([&] {
    GraphLock lock(graph_mutex());
    const std::shared_ptr<CUgraph_st> graph = find_graph(clone);
    if (!twin || !graph) return cudaErrorInvalidValue;
    for (const auto& mine : graph->nodes) {
      if (mine->original != node) continue;
      *twin = mine.get();
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return immediate([&] { return destroy_node(node); });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  const auto add = [](CUgraphNode_st& node, cudaGraphNode_t before) { node.before.push_back(before); };
  return immediate([&] { return change_dependencies(graph, from, to, count, add); });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  const auto remove = [](CUgraphNode_st& node, cudaGraphNode_t before) { std::erase(node.before, before); };
  return immediate([&] { return change_dependencies(graph, from, to, count, remove); });
}

}  // extern "C"
