#include "runtime/api/graphs.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "runtime/api/api_call.h"
#include "runtime/api/deferred_work.h"
#include "runtime/api/graph_nodes.h"
#include "runtime/api/streams.h"

struct CUgraphNode_st {
  cuset_emulator::Work work;
  std::vector<cudaGraphNode_t> before;
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  cudaStream_t origin = nullptr;  // while a stream captures into it

  bool holds(cudaGraphNode_t node) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](const auto& mine) { return mine.get() == node; });
  }
};

struct CUgraphExec_st {
  std::vector<cuset_emulator::Work> work;  // in an order that keeps every dependency
};

namespace cuset_emulator {
namespace {

struct Graphs {
  std::recursive_mutex mutex;
  std::map<cudaGraph_t, std::unique_ptr<CUgraph_st>> living;
  std::map<cudaGraphExec_t, std::shared_ptr<CUgraphExec_st>> executables;
  std::map<cudaStream_t, std::unique_ptr<CUgraph_st>> captures;  // by the stream that began
  std::map<cudaStream_t, CUgraph_st*> capturing;
  std::map<cudaEvent_t, CUgraph_st*> events;
  std::atomic<bool> any_capture{false};
};

Graphs& graphs() {
  static Graphs& instance = *new Graphs;
  return instance;
}

using Lock = std::lock_guard<std::recursive_mutex>;

cudaError_t begin_capture(cudaStream_t stream) {
  if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (stream == nullptr || stream == cudaStreamLegacy) return cudaErrorStreamCaptureUnsupported;
  Lock lock(graphs().mutex);
  if (graphs().capturing.count(stream)) return cudaErrorIllegalState;
  auto graph = std::make_unique<CUgraph_st>();
  graph->origin = stream;
  graphs().capturing[stream] = graph.get();
  graphs().captures[stream] = std::move(graph);
  graphs().any_capture = true;
  return cudaSuccess;
}

cudaError_t end_capture(cudaStream_t stream, cudaGraph_t* graph) {
  if (!graph) return cudaErrorInvalidValue;
  *graph = nullptr;
  Lock lock(graphs().mutex);
  auto found = graphs().captures.find(stream);
  if (found == graphs().captures.end()) {
    return graphs().capturing.count(stream) ? cudaErrorStreamCaptureUnmatched : cudaErrorIllegalState;
  }
  std::unique_ptr<CUgraph_st> made = std::move(found->second);
  graphs().captures.erase(found);
  std::erase_if(graphs().capturing, [&](const auto& entry) { return entry.second == made.get(); });
  std::erase_if(graphs().events, [&](const auto& entry) { return entry.second == made.get(); });
  graphs().any_capture = !graphs().captures.empty();
  made->origin = nullptr;
  *graph = made.get();
  graphs().living.emplace(*graph, std::move(made));
  return cudaSuccess;
}

// The graphs are locked.
CUgraph_st* find(cudaGraph_t graph) {
  auto found = graphs().living.find(graph);
  return found == graphs().living.end() ? nullptr : found->second.get();
}

// Nodes in the order they were added, each after those it depends on. Shorter than the graph if there is a
// circle.
std::vector<cudaGraphNode_t> ordered(const CUgraph_st& graph) {
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

cudaError_t instantiate(cudaGraphExec_t* executable, cudaGraph_t handle) {
  if (!executable) return cudaErrorInvalidValue;
  *executable = nullptr;
  Lock lock(graphs().mutex);
  CUgraph_st* graph = find(handle);
  if (!graph) return cudaErrorInvalidValue;
  std::vector<cudaGraphNode_t> order = ordered(*graph);
  if (order.size() != graph->nodes.size()) return cudaErrorInvalidValue;
  auto made = std::make_shared<CUgraphExec_st>();
  for (cudaGraphNode_t node : order) made->work.push_back(node->work);
  *executable = made.get();
  graphs().executables.emplace(*executable, std::move(made));
  return cudaSuccess;
}

std::shared_ptr<CUgraphExec_st> find_executable(cudaGraphExec_t executable) {
  Lock lock(graphs().mutex);
  auto found = graphs().executables.find(executable);
  return found == graphs().executables.end() ? nullptr : found->second;
}

cudaError_t run(const CUgraphExec_st& executable) {
  for (const Work& work : executable.work) {
    if (waiting_fault() != cudaSuccess) return cudaSuccess;
    if (cudaError_t error = work(); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t launch(cudaGraphExec_t handle, cudaStream_t stream) {
  if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
  std::shared_ptr<CUgraphExec_st> executable = find_executable(handle);
  if (!executable) return cudaErrorInvalidValue;
  const Work work = [executable] { return run(*executable); };
  if (is_capturing(stream) && capture(stream, work)) return cudaSuccess;
  if (!defers_work()) return work();
  put_work(stream, work);
  return cudaSuccess;
}

cudaError_t clone(cudaGraph_t* copy, cudaGraph_t handle) {
  Lock lock(graphs().mutex);
  CUgraph_st* graph = find(handle);
  if (!graph || !copy) return cudaErrorInvalidValue;
  auto made = std::make_unique<CUgraph_st>();
  std::map<cudaGraphNode_t, cudaGraphNode_t> twins;
  for (const auto& node : graph->nodes) {
    made->nodes.push_back(std::make_unique<CUgraphNode_st>(*node));
    twins[node.get()] = made->nodes.back().get();
  }
  for (auto& node : made->nodes) {
    for (cudaGraphNode_t& before : node->before) before = twins[before];
  }
  *copy = made.get();
  graphs().living.emplace(*copy, std::move(made));
  return cudaSuccess;
}

cudaError_t get_nodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  Lock lock(graphs().mutex);
  CUgraph_st* graph = find(handle);
  if (!graph || !count) return cudaErrorInvalidValue;
  if (nodes) {
    for (size_t i = 0; i < *count; ++i) nodes[i] = i < graph->nodes.size() ? graph->nodes[i].get() : nullptr;
    *count = std::min(*count, graph->nodes.size());
  } else {
    *count = graph->nodes.size();
  }
  return cudaSuccess;
}

cudaError_t add_dependencies(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                             size_t count) {
  Lock lock(graphs().mutex);
  CUgraph_st* graph = find(handle);
  if (!graph || (count > 0 && (!from || !to))) return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    if (!graph->holds(from[i]) || !graph->holds(to[i])) return cudaErrorInvalidValue;
    to[i]->before.push_back(from[i]);
  }
  return cudaSuccess;
}

template <class Body>
cudaError_t immediate(Body body) {
  return api_call(CallKind::kImmediate, body);
}

}  // namespace

bool is_capturing(cudaStream_t stream) {
  if (!graphs().any_capture) return false;
  Lock lock(graphs().mutex);
  return graphs().capturing.count(stream) > 0;
}

bool capture(cudaStream_t stream, const Work& work) {
  Lock lock(graphs().mutex);
  auto found = graphs().capturing.find(stream);
  if (found == graphs().capturing.end()) return false;
  // In the order of the calls, which keeps the order of every stream and of every event.
  CUgraph_st& graph = *found->second;
  std::vector<cudaGraphNode_t> before;
  if (!graph.nodes.empty()) before.push_back(graph.nodes.back().get());
  graph.nodes.push_back(std::make_unique<CUgraphNode_st>(CUgraphNode_st{work, std::move(before)}));
  return true;
}

void capture_event(cudaEvent_t event, cudaStream_t stream) {
  Lock lock(graphs().mutex);
  if (auto found = graphs().capturing.find(stream); found != graphs().capturing.end()) {
    graphs().events[event] = found->second;
  } else {
    graphs().events.erase(event);
  }
}

void join_capture(cudaStream_t stream, cudaEvent_t event) {
  if (!graphs().any_capture) return;
  Lock lock(graphs().mutex);
  auto found = graphs().events.find(event);
  if (found != graphs().events.end()) graphs().capturing.emplace(stream, found->second);
}

cudaError_t add_node(const NodePlace& place, Work work) {
  Lock lock(graphs().mutex);
  CUgraph_st* graph = find(place.graph);
  if (!graph || !place.node || (place.dependency_count > 0 && !place.dependencies))
    return cudaErrorInvalidValue;
  std::vector<cudaGraphNode_t> before(place.dependencies, place.dependencies + place.dependency_count);
  for (cudaGraphNode_t node : before) {
    if (!graph->holds(node)) return cudaErrorInvalidValue;
  }
  graph->nodes.push_back(
      std::make_unique<CUgraphNode_st>(CUgraphNode_st{std::move(work), std::move(before)}));
  *place.node = graph->nodes.back().get();
  return cudaSuccess;
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return immediate([&] { return begin_capture(stream); });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return immediate([&] { return end_capture(stream, graph); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return immediate([&] {
    if (!status) return cudaErrorInvalidValue;
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    *status = is_capturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  return immediate([&] {
    if (!graph) return cudaErrorInvalidValue;
    Lock lock(graphs().mutex);
    auto made = std::make_unique<CUgraph_st>();
    *graph = made.get();
    graphs().living.emplace(*graph, std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t graph) {
  return immediate([&] { return clone(copy, graph); });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return immediate([&] {
    Lock lock(graphs().mutex);
    return graphs().living.erase(graph) > 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return immediate([&] { return get_nodes(graph, nodes, count); });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  return immediate([&] { return add_dependencies(graph, from, to, count); });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return immediate([&] { return instantiate(executable, graph); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long) {
  return immediate([&] { return instantiate(executable, graph); });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return immediate([&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return find_executable(executable) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return api_call(CallKind::kEnqueues, [&] { return launch(executable, stream); });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return immediate([&] {
    Lock lock(graphs().mutex);
    return graphs().executables.erase(executable) > 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // extern "C"
