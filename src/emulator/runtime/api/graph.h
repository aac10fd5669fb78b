// What the files of graphs share: graphs and their nodes (graphs.cc, graph_nodes.cc), conditions (graph_conditions.cc),
// and executables (graph_executables.cc). Whoever looks into a graph holds graph_mutex().
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "runtime/api/graphs.h"

namespace cuset_emulator {

// The value that device code sets and a conditional node reads, in memory that both sides see.
struct Condition {
  cudaGraphConditionalHandle handle = 0;
  unsigned default_value = 0;
  bool assigns_default = false;  // at each launch of the graph

  unsigned value() const { return *reinterpret_cast<const volatile unsigned*>(handle); }
  void begin() const {
    if (assigns_default) *reinterpret_cast<volatile unsigned*>(handle) = default_value;
  }
};

}  // namespace cuset_emulator

struct CUgraphNode_st {
  cuset_emulator::NodeContent content;
  std::vector<cudaGraphNode_t> before;
  // Of a child or a conditional node: the graphs inside.
  std::vector<std::shared_ptr<CUgraph_st>> bodies = {};
  std::vector<cudaGraph_t> body_handles = {};
  std::shared_ptr<const cuset_emulator::Condition> condition = nullptr;
  cudaGraphConditionalNodeType condition_type = cudaGraphCondTypeIf;
  cudaGraphNode_t original = nullptr;  // of a node in a clone
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::shared_ptr<const cuset_emulator::Condition>> conditions;
  std::vector<cudaGraphNode_t> last;  // what the next captured node depends on

  bool holds(cudaGraphNode_t node) const;
};

namespace cuset_emulator {

std::recursive_mutex& graph_mutex();
using GraphLock = std::lock_guard<std::recursive_mutex>;

// Null where there is no such graph. The graphs are locked, here and below.
std::shared_ptr<CUgraph_st> find_graph(cudaGraph_t graph);
// The graph that holds the node; null where none does.
CUgraph_st* graph_of(cudaGraphNode_t node);
// A new graph; it is known until forget_graph() or cudaGraphDestroy().
std::shared_ptr<CUgraph_st> make_graph();
void forget_graph(cudaGraph_t graph);
// Nodes in the order they were added, each after those it depends on. Shorter than the graph if there is a circle.
std::vector<cudaGraphNode_t> ordered_nodes(const CUgraph_st& graph);
std::shared_ptr<CUgraph_st> clone_graph(const CUgraph_st& graph);

struct NodePlace {
  cudaGraphNode_t* node;
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  size_t dependency_count;
};
// cudaErrorInvalidValue if the graph or a dependency is not known.
cudaError_t add_node(const NodePlace& place, NodeContent content);

// Fills in a conditional node that was just added; its graphs are written to `parameters`.
cudaError_t add_conditional(const NodePlace& place, cudaConditionalNodeParams& parameters);

// Gives the node of an executable other work of the same kind.
cudaError_t replace_in_executable(cudaGraphExec_t executable, cudaGraphNode_t node, NodeContent content);

}  // namespace cuset_emulator
