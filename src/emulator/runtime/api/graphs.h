// Graphs: pieces of work with the order they must keep. A stream that captures puts its work into a graph
// instead of running it; streams that wait for an event of a capturing one take part in its capture.
#pragma once

#include <functional>
#include <memory>

#include "cuset_emulator/graph_api.h"

namespace cuset_emulator {

using Work = std::function<cudaError_t()>;

struct KernelCall;

// What a node does.
struct NodeContent {
  cudaGraphNodeType type = cudaGraphNodeTypeMemcpy;
  Work work = {};
  std::shared_ptr<const KernelCall> call = nullptr;  // of a kernel
};

// True if the stream captures: the work is now the graph's.
bool capture(cudaStream_t stream, NodeContent content);
bool is_capturing(cudaStream_t stream);

// An event recorded in a capturing stream, and a stream that waits for one.
void capture_event(cudaEvent_t event, cudaStream_t stream);
void join_capture(cudaStream_t stream, cudaEvent_t event);

}  // namespace cuset_emulator
