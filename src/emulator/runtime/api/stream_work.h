// Work put into a stream: it runs at once, becomes part of the graph that the stream captures, or (in checked
// programs) is left for later.
#pragma once

#include "runtime/api/api_call.h"
#include "runtime/api/deferred_work.h"
#include "runtime/api/graphs.h"
#include "runtime/api/stream_waits.h"
#include "runtime/api/streams.h"

namespace cuset_emulator {

// `work` owns all it needs, since a graph may run it later and again. `captured` says what a node of it is.
template <class Body>
cudaError_t enqueue(cudaStream_t stream, const Body& work, const NodeContent& captured = {}) {
  return api_call(CallKind::kEnqueues, [&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (is_capturing(stream) && capture(stream, {captured.type, work, captured.call})) return cudaSuccess;
    if (captured.type != cudaGraphNodeTypeEmpty) note_stream_work(stream);
    finish_stream(stream);
    return work();
  });
}

// The same, for work that may be left for later if `check` has nothing against it.
template <class Check, class Body>
cudaError_t enqueue(cudaStream_t stream, const Check& check, const Body& work,
                    const NodeContent& captured = {}) {
  if (!defers_work()) return enqueue(stream, work, captured);
  return api_call(CallKind::kEnqueues, [&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (is_capturing(stream) && capture(stream, {captured.type, work, captured.call})) return cudaSuccess;
    if (cudaError_t error = check(); error != cudaSuccess) return error;
    put_work(stream, work);
    return cudaSuccess;
  });
}

}  // namespace cuset_emulator
