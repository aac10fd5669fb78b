// The process that is the device of a program under proof (docs/proof-of-work.md). It holds device memory and
// runs the kernels; of the program's host code there is nothing in it. What the program asks for comes
// through pipes and is checked as any untrusted input.
//
// Its working folder has `masks` (input_masks.h). It leaves there what the judge wants to know:
//   account    CusetDeviceAccount
//   downloads  what the host was given, in that order
//   footprints how much memory the kernels could reach
//   requests   what the host asked for, if that is wanted
#pragma once

#include "runtime/device_process/device.h"

namespace cuset_emulator {

// Serves the program at the other end of the pipes in `folder` until it closes them. Returns the process's
// exit status.
int serve_program(Device& device, const char* folder);

}  // namespace cuset_emulator
