// Writes the execution record (emulator/execution_record.h) of this program; does nothing where none is asked
// for.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/input_cipher.h"
#include "cuset_emulator/abi.h"
#include "runtime/launch/launch.h"

namespace cuset_emulator {

void record_launch(const CusetKernel& kernel, const LaunchShape& shape, const LaunchEnd& end);
void record_error(int cuda_error, bool from_device);
// With what the files of inputs are hidden; zeros where they are not.
const cuset::base::InputKey& input_key();
// Whether whoever reads the record wants to see what the program does without its kernels.
bool kernels_are_off();
// Or what they do in the reverse order of threads.
bool threads_go_backward();

struct Finding {
  std::string_view kind;
  std::string_view kernel;  // mangled or plain
  const CusetSite* site = nullptr;
  uint32_t block[3] = {0, 0, 0};
  uint32_t thread[3] = {0, 0, 0};
  std::string_view text;
};

// Findings of the same kind and line are counted together. Safe from several workers.
void record_finding(const Finding& finding);

// Counts one more of a finding that is there; false if it is not. Saves making a text that nobody reads: a wrong index is
// met millions of times.
bool count_finding_again(std::string_view kind, const CusetSite* site);

// Ends the program as `unsupported`: recorded, one line on standard error, exit status 87.
[[noreturn]] void end_as_unsupported(std::string_view construct);

}  // namespace cuset_emulator
