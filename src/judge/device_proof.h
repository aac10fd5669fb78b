// Proof that an answer's kernels computed its outputs (docs/proof-of-work.md).
//
// The answer's host code runs in one process and its kernels in another. The host reads inputs that are as
// good as any; where it hands them on to the device, the device's process puts the inputs of a trial in their
// place. The outputs must be those of the trial, whose inputs the host has never seen. What the host is given
// back beyond its outputs is limited, so that it cannot compute with that instead.
//
// A host that checks its own results then sees what it must take for errors. Where the first way fails, host
// and kernels therefore run once on the inputs that the host sees, and everything the host asked of the device
// is repeated, without the host, on the inputs of the trial. Then every output has to be what the device gave.
//
// Both are tests that must be passed: an answer gains nothing by recognizing them.
#pragma once

#include <optional>
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
    kImpossible,  // the program or the machine lacks what a proof needs; `explanation` says what
  };
  State state = State::kImpossible;
  std::string explanation;
  std::vector<tasks::Array> shown = {};  // kProven: what the host was given as inputs
  bool unbroken = false;                 // it had to hand them on as they are
  // Set where the host's part was recorded once and is not needed again.
  std::optional<RecordedProgram> recorded = {};
};

// Inputs for the host, made of `other`, which has the same shapes as `real`: floating-point numbers are made
// different from each other, so that each can be recognized where the host hands it on. An input with too few
// elements to compute with (sizes, factors) is the real one, because hosts pass such numbers on as arguments.
std::vector<tasks::Array> inputs_for_host(std::vector<tasks::Array> other,
                                          const std::vector<tasks::Array>& real);

// What the host is shown while the kernels get `real`, in the way of a proof that was given. Sizes and factors that
// the host knows are made the proof's in `real`. Nothing where the sizes are others than the proof's.
std::optional<std::vector<tasks::Array>> shown_for(const DeviceProof& proof, std::vector<tasks::Array>& real);

// `runner` has built the answer; `options` are those of a trial. Throws Error where the machine fails,
// JudgeInterrupted.
DeviceProof prove_on_device(const ProgramRunner& runner, const tasks::Task& task, const Expected& expected,
                            const ProgramRunOptions& options);

}  // namespace cuset::judge
