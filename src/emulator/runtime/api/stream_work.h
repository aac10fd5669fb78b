// Work put into a stream: it runs at once, or becomes part of the graph that the stream captures.
#pragma once

#include "runtime/api/api_call.h"
#include "runtime/api/graphs.h"
#include "runtime/api/streams.h"

namespace cuset_emulator {

// `work` owns all it needs, since a graph may run it later and again.
template <class Body>
cudaError_t enqueue(cudaStream_t stream, const Body& work) {
  return api_call(CallKind::kEnqueues, [&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return is_capturing(stream) && capture(stream, work) ? cudaSuccess : work();
  });
}

}  // namespace cuset_emulator
