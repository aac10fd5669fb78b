// Child processes of trusted tools (compiler versions, system queries, the user's own commands): started without a
// shell, output captured, killed with their whole process group at the time limit.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace cuset::sandbox {

struct ProcessResult {
  bool started = false;    // false: the program does not exist or cannot be executed
  bool timed_out = false;  // it was killed at the time limit, or at an interrupt
  int exit_status = -1;    // if it ended by itself
  int signal = 0;          // if a signal ended it
  std::string output;      // standard output and error together, up to the limit
  std::string errors;      // standard error, where it was asked for apart

  bool succeeded() const { return started && !timed_out && exit_status == 0; }
};

struct ProcessOptions {
  std::chrono::milliseconds time_limit{10'000};
  size_t output_limit = 1 << 20;    // bytes of each stream
  std::string input = {};           // that its standard input holds; empty: nothing
  bool errors_apart = false;        // standard error is not part of the output
  bool stops_at_interrupt = false;  // (base/interrupt.h): it is killed then
};

// Runs `arguments` (the program first, searched on PATH) and waits for its end.
ProcessResult run_process(const std::vector<std::string>& arguments, const ProcessOptions& options = {});

}  // namespace cuset::sandbox
