// Executables of graphs: the work of the nodes in one order that keeps every dependency, with the graphs inside of child
// and conditional nodes. They do not change with the graph they were made of.
#include <algorithm>
#include <map>

#include "runtime/api/api_call.h"
#include "runtime/api/deferred_work.h"
#include "runtime/api/graph.h"
#include "runtime/api/streams.h"

namespace cuset_emulator {
namespace {

struct Step {
  cudaGraphNode_t node;  // that it was made of; may be gone
  NodeContent content;
  std::shared_ptr<const Condition> condition;
  cudaGraphConditionalNodeType condition_type = cudaGraphCondTypeIf;
  std::vector<std::vector<Step>> bodies;
  bool enabled = true;
};

}  // namespace
}  // namespace cuset_emulator

struct CUgraphExec_st {
  std::vector<cuset_emulator::Step> steps;
  std::vector<std::shared_ptr<const cuset_emulator::Condition>> conditions;
};

namespace cuset_emulator {
namespace {

struct Executables {
  std::map<cudaGraphExec_t, std::shared_ptr<CUgraphExec_st>> living;
};

Executables& executables() {
  static Executables& instance = *new Executables;
  return instance;
}

// False if nodes depend on each other in a circle.
bool make_steps(const CUgraph_st& graph, std::vector<Step>& steps,
                std::vector<std::shared_ptr<const Condition>>& conditions) {
  const std::vector<cudaGraphNode_t> order = ordered_nodes(graph);
  if (order.size() != graph.nodes.size()) return false;
  conditions.insert(conditions.end(), graph.conditions.begin(), graph.conditions.end());
  for (cudaGraphNode_t node : order) {
    Step step{node, node->content, node->condition, node->condition_type, {}};
    for (const auto& body : node->bodies)
      if (!make_steps(*body, step.bodies.emplace_back(), conditions)) return false;
    steps.push_back(std::move(step));
  }
  return true;
}

cudaError_t instantiate(cudaGraphExec_t* executable, cudaGraph_t handle) {
  if (!executable) return cudaErrorInvalidValue;
  *executable = nullptr;
  GraphLock lock(graph_mutex());
  const std::shared_ptr<CUgraph_st> graph = find_graph(handle);
  auto made = std::make_shared<CUgraphExec_st>();
  if (!graph || !make_steps(*graph, made->steps, made->conditions)) return cudaErrorInvalidValue;
  *executable = made.get();
  executables().living.emplace(*executable, std::move(made));
  return cudaSuccess;
}

std::shared_ptr<CUgraphExec_st> find_executable(cudaGraphExec_t executable) {
  GraphLock lock(graph_mutex());
  auto found = executables().living.find(executable);
  return found == executables().living.end() ? nullptr : found->second;
}

cudaError_t run(const std::vector<Step>& steps);

cudaError_t run_conditional(const Step& step) {
  const Condition& condition = *step.condition;
  switch (step.condition_type) {
    case cudaGraphCondTypeIf:
      if (condition.value() != 0) return run(step.bodies[0]);
      return step.bodies.size() > 1 ? run(step.bodies[1]) : cudaSuccess;
    case cudaGraphCondTypeWhile:
      while (condition.value() != 0 && waiting_fault() == cudaSuccess)
        if (cudaError_t error = run(step.bodies[0]); error != cudaSuccess) return error;
      return cudaSuccess;
    case cudaGraphCondTypeSwitch:
      return condition.value() < step.bodies.size() ? run(step.bodies[condition.value()]) : cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t run_step(const Step& step) {
  if (step.content.type == cudaGraphNodeTypeConditional) return run_conditional(step);
  if (step.content.type == cudaGraphNodeTypeGraph) return run(step.bodies[0]);
  return step.content.work();
}

cudaError_t run(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    if (waiting_fault() != cudaSuccess) return cudaSuccess;
    if (!step.enabled) continue;
    if (cudaError_t error = run_step(step); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t launch(cudaGraphExec_t handle, cudaStream_t stream) {
  if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
  std::shared_ptr<CUgraphExec_st> living = find_executable(handle);
  if (!living) return cudaErrorInvalidValue;
  // As it is now: it may be updated before it runs.
  const auto executable = std::make_shared<const CUgraphExec_st>(*living);
  const Work work = [executable] {
    for (const auto& condition : executable->conditions) condition->begin();
    return run(executable->steps);
  };
  if (is_capturing(stream) && capture(stream, {cudaGraphNodeTypeGraph, work})) return cudaSuccess;
  if (!defers_work()) return work();
  put_work(stream, work);
  return cudaSuccess;
}

Step* find_step(std::vector<Step>& steps, cudaGraphNode_t node) {
  for (Step& step : steps) {
    if (step.node == node) return &step;
    for (auto& body : step.bodies)
      if (Step* inner = find_step(body, node)) return inner;
  }
  return nullptr;
}

Step* find_step(cudaGraphExec_t executable, cudaGraphNode_t node) {
  const std::shared_ptr<CUgraphExec_st> living = find_executable(executable);
  return living ? find_step(living->steps, node) : nullptr;
}

// What keeps `to` from doing what `from` does.
cudaGraphExecUpdateResult compare(const std::vector<Step>& to, const std::vector<Step>& from,
                                  cudaGraphNode_t& different) {
  if (to.size() != from.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < to.size(); ++i) {
    different = from[i].node;
    if (to[i].content.type != from[i].content.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (to[i].bodies.size() != from[i].bodies.size()) return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t body = 0; body < to[i].bodies.size(); ++body) {
      const auto result = compare(to[i].bodies[body], from[i].bodies[body], different);
      if (result != cudaGraphExecUpdateSuccess) return result;
    }
  }
  different = nullptr;
  return cudaGraphExecUpdateSuccess;
}

cudaError_t update(cudaGraphExec_t handle, cudaGraph_t graph_handle, cudaGraphExecUpdateResultInfo* info) {
  GraphLock lock(graph_mutex());
  const std::shared_ptr<CUgraphExec_st> executable = find_executable(handle);
  const std::shared_ptr<CUgraph_st> graph = find_graph(graph_handle);
  CUgraphExec_st made;
  if (!executable || !graph || !info || !make_steps(*graph, made.steps, made.conditions))
    return cudaErrorInvalidValue;
  *info = {};
  info->result = compare(executable->steps, made.steps, info->errorNode);
  if (info->result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
  *executable = std::move(made);
  return cudaSuccess;
}

template <class Body>
cudaError_t immediate(Body body) {
  return api_call(CallKind::kImmediate, body);
}

}  // namespace

cudaError_t replace_in_executable(cudaGraphExec_t executable, cudaGraphNode_t node, NodeContent content) {
  GraphLock lock(graph_mutex());
  Step* step = find_step(executable, node);
  if (!step || step->content.type != content.type) return cudaErrorInvalidValue;
  step->content = std::move(content);
  return cudaSuccess;
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return immediate([&] { return instantiate(executable, graph); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long) {
  return immediate([&] { return instantiate(executable, graph); });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  return immediate([&] { return update(executable, graph, result); });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return immediate([&] {
    GraphLock lock(graph_mutex());
    Step* step = find_step(executable, node);
    const std::shared_ptr<CUgraph_st> graph = find_graph(child);
    if (!step || !graph || step->content.type != cudaGraphNodeTypeGraph) return cudaErrorInvalidValue;
    std::vector<Step> body;
    std::vector<std::shared_ptr<const Condition>> conditions;
    if (!make_steps(*graph, body, conditions)) return cudaErrorInvalidValue;
    cudaGraphNode_t different = nullptr;
    if (compare(step->bodies[0], body, different) != cudaGraphExecUpdateSuccess) return cudaErrorInvalidValue;
    step->bodies[0] = std::move(body);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned enabled) {
  return immediate([&] {
    GraphLock lock(graph_mutex());
    Step* step = find_step(executable, node);
    if (!step || step->content.type > cudaGraphNodeTypeMemset) return cudaErrorInvalidValue;
    step->enabled = enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned* enabled) {
  return immediate([&] {
    GraphLock lock(graph_mutex());
    const Step* step = find_step(executable, node);
    if (!step || !enabled) return cudaErrorInvalidValue;
    *enabled = step->enabled ? 1 : 0;
    return cudaSuccess;
  });
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
    GraphLock lock(graph_mutex());
    return executables().living.erase(executable) > 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // extern "C"
