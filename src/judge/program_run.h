// One program that reads and writes data files: built once, run on any inputs, its outputs read back.
//
// The program is compiled with our entry point, which calls its `main` once in every folder named on the
// command line, so that all trials of an answer can share one process: on a GPU, making a context takes
// longer than most programs. In its first folder the program runs as in any fresh process. In later folders an
// honest program may fail because of its own state (a counter in device memory, an early exit), so a failure
// there is not a verdict: that trial has to run in a fresh process.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/files/temporary_folder.h"
#include "execute/executor.h"
#include "judge/judge_settings.h"
#include "judge/verdict.h"
#include "tasks/task.h"

namespace cuset::judge {

struct ProgramOutputs {
  Outcome outcome = Outcome::kCorrect;  // so far: every output was written in a plausible size
  std::string explanation;
  std::vector<tasks::Array> outputs;  // of the task's types
};

// One process.
struct ProgramRun {
  execute::Run run;
  Outcome outcome = Outcome::kCorrect;  // how the process ended
  std::string explanation;
  // One for each set of inputs; those of a process that failed have its outcome.
  std::vector<ProgramOutputs> trials;

  bool first_written = false;  // of a process that ran out of time: its first trial has its outputs

  uint64_t written() const;  // trials that have their outputs
  bool all_written() const { return written() == trials.size(); }
};

struct ProgramRunOptions {
  // Counts that outputs must have; empty: the reference is running, whose sizes are taken as they are.
  std::vector<uint64_t> counts;
  double time_limit = 0;    // seconds for the process; 0: the task's, which is for one set of inputs
  bool in_harness = false;  // the source was put into our harness (harness.h), which leaves more to look at
  uint64_t poison = 0;      // in_harness: what unwritten memory holds
  bool exclusive = false;   // no other program on the GPU meanwhile
  bool waits_at_gate = false;  // with `exclusive`: the GPU is shared until its context is made
  bool last_is_noop = false;   // the last set of inputs is run with no-op kernels; needs the switch
  // CPU executor: the order of threads of the first set of inputs (execute::RunOptions), and whether the
  // others take the next ones.
  uint64_t order = 0;
  bool next_orders = false;
};

struct ProgramBuildOptions {
  bool check = false;        // with the emulator's checks
  bool noop_switch = false;  // declares `cuset_noop` to the source (noop_kernels.h)
};

class ProgramRunner {
 public:
  // Compiles `source` at once. Throws JudgeInterrupted.
  ProgramRunner(execute::Executor& executor, const JudgeSettings& settings, const tasks::Task& task,
                const std::string& source, const ProgramBuildOptions& options = {});

  const execute::Build& build() const { return build_; }

  // All sets of inputs in one process. A process that failed while it shared the GPU is run again
  // exclusively. Safe to call from many threads. Throws Error where the machine fails, JudgeInterrupted.
  ProgramRun run(std::span<const std::vector<tasks::Array>* const> inputs,
                 const ProgramRunOptions& options) const;
  ProgramRun run(const std::vector<tasks::Array>& inputs, const ProgramRunOptions& options) const;

 private:
  ProgramRun run_once(std::span<const std::vector<tasks::Array>* const> inputs,
                      const ProgramRunOptions& options) const;
  ProgramOutputs take_outputs(const std::filesystem::path& folder, const ProgramRunOptions& options) const;

  execute::Executor& executor_;
  const JudgeSettings& settings_;
  const tasks::Task& task_;
  const bool checked_;            // built with the emulator's checks
  base::TemporaryFolder folder_;  // holds the source
  execute::Build build_;
};

// JudgeSettings::noop_kernels, or the default of this executor.
NoopKernels noop_kernels(const execute::Executor& executor, const JudgeSettings& settings);

// Whether a run with no-op kernels proves nothing because the switch could not be turned on.
bool switch_stayed_off(const ProgramRun& run);

// `code` as it is built with `options`: the switch in its kernels, where it has any.
std::string as_built(const std::string& code, const ProgramBuildOptions& options);

// How many sets of inputs of this task may lie on the disk at once.
size_t most_trials_together(const tasks::Task& task);

// Microseconds that all kernels of a run were on the device.
double device_us(const execute::Run& run);

}  // namespace cuset::judge
