// Nodes that a program adds to a graph by itself.
#pragma once

#include "runtime/api/graphs.h"

namespace cuset_emulator {

struct NodePlace {
  cudaGraphNode_t* node;
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  size_t dependency_count;
};
// cudaErrorInvalidValue if the graph or a dependency is not known.
cudaError_t add_node(const NodePlace& place, Work work);

}  // namespace cuset_emulator
