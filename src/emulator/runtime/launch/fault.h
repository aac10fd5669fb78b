// What goes wrong in device code ends the launch and not the program: the worker leaves the block it runs.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <string>
#include <string_view>

namespace cuset_emulator {

struct Fault {
  int error = 0;  // a cudaError_t
  std::string explanation;
  // Who called fail_launch; zeros where it was a signal.
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
};

// Ends the running launch from device code (a failed assertion, __trap). Only from a worker inside guarded().
[[noreturn]] void fail_launch(int error, std::string_view explanation);

// True on a thread that is running device code.
bool in_device_code();

// Runs `work` so that fail_launch and memory faults (signals) inside it come back as a Fault; error 0 if none
// happened. Objects with destructors inside `work` are abandoned when it is left early.
Fault guarded(void (*work)(void*), void* argument);

}  // namespace cuset_emulator
