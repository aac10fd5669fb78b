// How every entry point of the runtime API runs: errors as error_state.h says, one call at a time on the
// device, and nothing thrown inside gets out.
#pragma once

#include <mutex>

#include "runtime/api/error_state.h"

namespace cuset_emulator {

enum class CallKind {
  kImmediate,    // asks or creates something: shows a fault the program has seen, never a waiting one
  kEnqueues,     // puts work into a stream: does nothing while a fault waits
  kSynchronizes  // waits for the device: shows a waiting fault, and prints what kernels printed
};

// Held while work of a stream runs. Recursive, because functions a stream calls may call the API against its
// rules.
std::recursive_mutex& device_mutex();

// What a synchronizing call does before anything else.
void synchronize_device();

template <class Body>
cudaError_t api_call(CallKind kind, Body body) {
  try {
    std::unique_lock lock(device_mutex(), std::defer_lock);
    if (kind != CallKind::kImmediate) lock.lock();
    if (kind == CallKind::kSynchronizes) synchronize_device();
    if (cudaError_t fault = shown_fault(); fault != cudaSuccess) return remember(fault);
    if (kind == CallKind::kEnqueues && waiting_fault() != cudaSuccess) return cudaSuccess;
    return remember(body());
  } catch (...) {
    return remember(cudaErrorMemoryAllocation);
  }
}

// A query that does not wait: cudaErrorNotReady while another thread's work runs, else as a synchronizing
// call.
template <class Body>
cudaError_t api_query(Body body) {
  std::unique_lock lock(device_mutex(), std::try_to_lock);
  return lock ? api_call(CallKind::kSynchronizes, body) : cudaErrorNotReady;
}

}  // namespace cuset_emulator
