// What the emulator's timeline tells beyond a GPU's (copied_results.h): whether the outputs that an answer's process wrote down come
// from the device, whether the host saw the inputs, and what PyTorch had to do with the outputs.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/value_sketch.h"
#include "benchmarks/kernelbench/module_session.h"
#include "benchmarks/kernelbench/module_work.h"
#include "tasks/array.h"

namespace cuset::benchmarks {

struct EmulatedCall {  // of one trial
  const ModuleCall& call;
  std::vector<tasks::Array> outputs;  // as the process wrote them down
};

// The process writes the outputs down itself, and could write anything: each must be what a copy brought from the device, and
// the device must not have been given anything since the call. Files of inputs are hidden from the host (base/input_cipher.h), so
// that it knows of them only what it asks for: in all but the first call at most a quarter of their `input_bytes`, between calls
// next to nothing.
std::optional<WorkFault> find_host_results(const std::vector<EmulatedCall>& calls, uint64_t input_bytes);

// Whether own kernels or PyTorch compute when inputs are taken or outputs written down: what the rules look for in calls could be
// done there.
bool does_work_between_calls(const std::vector<EmulatedCall>& calls, const OwnKernels& own);

// Results of PyTorch that own kernels copied, or changed in form; outputs that PyTorch made of the inputs without them; trifles beside
// PyTorch's work.
std::optional<WorkFault> find_library_results(const std::vector<EmulatedCall>& calls,
                                              const std::vector<ActivityList>& reference,
                                              const std::vector<std::string>& own_names);

}  // namespace cuset::benchmarks
