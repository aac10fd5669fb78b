// What goes wrong in device code ends the launch and not the program: the worker leaves the block it runs.
#pragma once

#include <csetjmp>
#include <string>
#include <string_view>

namespace cuset_emulator {

struct Fault {
  int error = 0;  // a cudaError_t
  std::string explanation;
};

// Ends the running launch from device code (a failed assertion, __trap). Only from a worker inside guarded().
[[noreturn]] void fail_launch(int error, std::string_view explanation);

// True on a thread that is running device code.
bool in_device_code();

// Runs `work` so that fail_launch and memory faults (signals) inside it come back as a Fault; error 0 if none
// happened. Objects with destructors inside `work` are abandoned when it is left early.
Fault guarded(void (*work)(void*), void* argument);

}  // namespace cuset_emulator
