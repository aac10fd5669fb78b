// How errors reach a CUDA program. A call that is refused returns its error and leaves it as the host
// thread's last error. A kernel that fails on the device fails later: the fault waits until a synchronising
// call shows it, and from then on every call returns it, until cudaDeviceReset.
#pragma once

#include "cuset_emulator/error_codes.h"

namespace cuset_emulator {

enum class CallKind {
  kImmediate,    // asks or creates something: shows a fault that is already known, never a waiting one
  kEnqueues,     // puts work into a stream: does nothing while a fault waits
  kSynchronises  // waits for the device: shows a waiting fault, and prints what kernels printed
};

// Leaves `error` as the thread's last one, if it is one, and returns it.
cudaError_t remember(cudaError_t error);

// What a call of this kind has to return before it does anything: cudaSuccess to go on.
cudaError_t begin_call(CallKind kind);
bool fault_waits();
cudaError_t waiting_fault_of_device();  // cudaSuccess if none waits

// The last error of this thread; `take` resets it unless it is the device's fault.
cudaError_t last_error(bool take);

// A kernel failed on the device.
void set_fault(cudaError_t error);
void clear_fault();

// Runs one entry point: nothing thrown inside gets out of the C API.
template <class Body>
cudaError_t api_call(CallKind kind, Body body) {
  try {
    if (cudaError_t error = begin_call(kind); error != cudaSuccess) return remember(error);
    if (kind == CallKind::kEnqueues && fault_waits()) return cudaSuccess;
    return remember(body());
  } catch (...) {
    return remember(cudaErrorMemoryAllocation);
  }
}

}  // namespace cuset_emulator
