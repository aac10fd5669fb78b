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
// Both are tests that must be passed: an answer gains nothing by recognizing them. They are made with the plain inputs of
// trial 0, and where there is little data also with zeros, ties and extremes, while the host sees ordinary numbers: a host
// that would compute such inputs itself, because its kernels fail on them, does not know of them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "judge/run/program_run.h"
#include "judge/trials/expected.h"
#include "tasks/task.h"

namespace cuset::judge {

struct DeviceProof {
  enum class State {
    kProven,
    kRefuted,     // `explanation` says why
    kImpossible,  // the program or the machine lacks what a proof needs; `explanation` says what
  };
  State state = State::kImpossible;
  std::string explanation;
  const ProofInputs* inputs = nullptr;  // those of the task's Expected
  // Set where the host's part was recorded once and is not needed again.
  std::optional<RecordedProgram> recorded = {};
};

// Of a run with right outputs for `inputs`: what the host was given beside them, where that is more than a host
// needs; empty where it is not. With more, the host could compute the outputs itself.
std::string find_excess_downloads(const tasks::Task& task, const std::vector<tasks::Array>& inputs,
                                  const ProgramRunOptions& options, const SplitProgramRun& run);

// The task's reference program, built when it is asked for; null where the task has none.
using ProofReference = std::function<const ProgramRunner*()>;

// `runner` has built the answer; `options` are those of a trial. Throws Error where the machine fails,
// JudgeInterrupted.
DeviceProof prove_on_device(const ProgramRunner& runner, const tasks::Task& task, const Expected& expected,
                            const ProofReference& reference, const ProgramRunOptions& options);

// Whether the outputs are right although these kernels, by the names that runs record, do nothing. Where it can, that is
// tried without the host, which could notice. `proof` was given for the answer.
bool is_right_without(const std::vector<std::string>& kernels, const DeviceProof& proof,
                      const ProgramRunner& runner, const tasks::Task& task, const Expected& expected,
                      ProgramRunOptions options);

}  // namespace cuset::judge
