// Proof that an answer's kernels computed its outputs (docs/proof-of-work.md).
//
// The answer's host code runs in one process and its kernels in another. The host reads inputs of one trial;
// where it hands them on to the device, the device's process puts the inputs of another trial in their place.
// The outputs must be those of the other trial, whose inputs the host has never seen. What the host is given
// back beyond its outputs is limited, so that it cannot compute with that instead.
//
// The test is one that must be passed: an answer gains nothing by recognizing it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "judge/expected.h"
#include "judge/program_run.h"
#include "tasks/task.h"

namespace cuset::judge {

struct DeviceProof {
  enum class State {
    kProven,
    kRefuted,   // `explanation` says why
    kNotTried,  // the executor cannot run a program in two processes
  };
  State state = State::kNotTried;
  std::string explanation;
};

// What the host was given of the device's memory, beside its outputs.
struct Excess {
  uint64_t bytes = 0;          // of downloads that are not parts of an output
  uint64_t allowed_bytes = 0;  // a share of the inputs
};

// Inputs for the host: those of `shown`, but of `real` where an input has too few elements to compute with
// (sizes, factors), because hosts pass such numbers on as arguments.
std::vector<tasks::Array> inputs_for_host(const std::vector<tasks::Array>& shown,
                                          const std::vector<tasks::Array>& real);

// Bytes of `downloads` that are not found in `outputs`, nor contain one of them.
uint64_t bytes_beside_outputs(std::span<const std::vector<std::byte>> downloads,
                              const std::vector<tasks::Array>& outputs);

// `runner` has built the answer; `options` are those of a trial. Throws Error where the machine fails,
// JudgeInterrupted.
DeviceProof prove_on_device(const ProgramRunner& runner, const tasks::Task& task, const Expected& expected,
                            const ProgramRunOptions& options);

}  // namespace cuset::judge
