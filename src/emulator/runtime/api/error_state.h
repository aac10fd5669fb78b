// How errors reach a CUDA program. A call that is refused returns its error and leaves it as the host
// thread's last error. A kernel that fails on the device fails later: the fault waits until a synchronizing
// call shows it, and from then on every call returns it, until cudaDeviceReset.
#pragma once

#include "cuset_emulator/error_codes.h"

namespace cuset_emulator {

// Leaves `error` as the thread's last one, if it is one, and returns it.
cudaError_t remember(cudaError_t error);

// What a kernel did wrong: not yet seen by the program, and seen. cudaSuccess if nothing.
cudaError_t waiting_fault();
cudaError_t shown_fault();
void show_waiting_fault();

// The last error of this thread; `take` resets it unless it is the device's fault.
cudaError_t last_error(bool take);

// A kernel failed on the device.
void set_fault(cudaError_t error);
void clear_fault();

}  // namespace cuset_emulator
