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

// What a synchronizing call does before anything else: waits for all streams, then settles.
void synchronize_device();
void settle_device();  // prints what kernels printed, shows a fault

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

// A call that waits for what `wait` finishes, not for the whole device.
template <class Wait, class Body>
cudaError_t api_wait(Wait wait, Body body) {
  try {
    const std::lock_guard lock(device_mutex());
    wait();
    settle_device();
    if (cudaError_t fault = shown_fault(); fault != cudaSuccess) return remember(fault);
    return remember(body());
  } catch (...) {
    return remember(cudaErrorMemoryAllocation);
  }
}

// A query that does not wait: cudaErrorNotReady while another thread's work runs, and once where `finish` had
// something left to do; else as a call that waits.
template <class Finish, class Body>
cudaError_t api_query(Finish finish, Body body) {
  std::unique_lock lock(device_mutex(), std::try_to_lock);
  if (!lock || finish()) return cudaErrorNotReady;
  return api_wait([] {}, body);
}

}  // namespace cuset_emulator
