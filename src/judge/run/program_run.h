// One program that reads and writes data files: built once, run on any inputs, its outputs read back.
//
// The program is compiled with our entry point, which calls its `main` once in every folder named on the
// command line, so that all trials of an answer can share one process: on a GPU, making a context takes
// longer than most programs. In its first folder the program runs as in any fresh process. In later folders an
// honest program may fail because of its own state (a counter in device memory, an early exit), so a failure
// there is not a verdict: that trial has to run in a fresh process.
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files/temporary_folder.h"
#include "execute/executor.h"
#include "judge/run/data_files.h"
#include "judge/verdict/judge_settings.h"
#include "judge/verdict/verdict.h"
#include "tasks/task.h"

namespace cuset::judge {

struct ProgramOutputs {
  Outcome outcome = Outcome::kCorrect;  // so far: every output was written in a plausible size
  std::string explanation;
  std::vector<tasks::Array> outputs;  // of the task's types; of kUnsupported those that were there already
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

// The seconds that all runs of one answer may take together. Runs side by side take from it at once.
class RunBudget {
 public:
  explicit RunBudget(double seconds) : left_(seconds) {}

  void renew(double seconds) { left_ = seconds; }
  void spend(double seconds) { left_ -= seconds; }
  double left() const { return std::max(left_.load(), 0.0); }
  // Less is too little to start a process in.
  bool is_spent() const { return left_ < 0.1; }

 private:
  std::atomic<double> left_;
};

struct ProgramRunOptions {
  // Counts that outputs must have; empty: the reference is running, whose sizes are taken as they are.
  std::vector<uint64_t> counts;
  double time_limit = 0;    // seconds for the process; 0: the task's, which is for one set of inputs
  bool in_harness = false;  // the source was put into our harness (harness.h), which leaves more to look at
  uint64_t poison = 0;      // in_harness: what unwritten memory holds
  bool exclusive = false;   // no other program on the GPU meanwhile
  bool waits_at_gate = false;             // with `exclusive`: the GPU is shared until its context is made
  bool timed = false;                     // of split runs: the same, and kernels are measured
  std::vector<std::string> idle_kernels;  // in split runs: as execute::SplitOptions
  // The task's own program, which need not be watched: where its data is small, its kernels run in a process that has a
  // context already. Its kernels are not recorded then.
  bool is_trusted = false;
  RunBudget* budget = nullptr;  // what this run's seconds are taken from; without it only time_limit counts
  // CPU executor: the order of threads of the first set of inputs (execute::RunOptions), and whether the
  // others take the next ones.
  uint64_t order = 0;
  bool next_orders = false;
};

// Of a program whose kernels run in a process of their own (device_proof.h); both of the same sizes.
struct SplitInputs {
  const std::vector<tasks::Array>& shown;  // to the host
  const std::vector<tasks::Array>& real;
  bool unbroken = false;  // the host must hand them on as they are
};

struct SplitProgramRun {
  ProgramOutputs outputs;
  std::vector<std::vector<std::byte>> downloads;  // what the host was given of the device's memory
  std::string requests;                           // what it asked for, where that was recorded
  execute::Run device;                            // the process that ran the kernels
  double kernel_us = 0;                           // of all kernels
  bool stray_kill = false;                        // of one of the processes (sandbox/sandbox.h)
};

// A program whose host code need not run again: what it asked of the device once, and what it wrote of that.
struct RecordedProgram {
  std::vector<tasks::Array> shown;
  std::string requests;
  std::vector<std::vector<std::byte>> downloads;
  std::vector<tasks::Array> outputs;
};

struct ProgramBuildOptions {
  bool check = false;         // with the emulator's checks
  bool is_reference = false;  // a whole program, whatever the task asks answers for
};

class ProgramRunner {
 public:
  // Compiles `source` at once. Throws JudgeInterrupted.
  ProgramRunner(execute::Executor& executor, const JudgeSettings& settings, const tasks::Task& task,
                const std::string& source, const ProgramBuildOptions& options = {});

  const execute::Build& build() const { return build_; }

  // All sets of inputs in one process. A process that failed while it shared the GPU is run again
  // exclusively, one that somebody killed a few times. Safe to call from many threads. Throws Error where the machine fails or the GPU is lost,
  // JudgeInterrupted.
  ProgramRun run(std::span<const std::vector<tasks::Array>* const> inputs,
                 const ProgramRunOptions& options) const;
  ProgramRun run(const std::vector<tasks::Array>& inputs, const ProgramRunOptions& options) const;

  // Host and kernels in two processes, each with its own inputs. Nothing where the executor cannot.
  std::optional<SplitProgramRun> run_split(const SplitInputs& inputs, const ProgramRunOptions& options) const;
  // Host and kernels with these inputs. Nothing where that does not end well.
  std::optional<RecordedProgram> record(const std::vector<tasks::Array>& shown,
                                        const ProgramRunOptions& options) const;
  // The kernels alone with `inputs.real`, asked for what is recorded. The outputs are those that the host would
  // have written of what the kernels then gave. Nothing where that cannot be told.
  std::optional<SplitProgramRun> replay(const RecordedProgram& recorded, const SplitInputs& inputs,
                                        const ProgramRunOptions& options) const;

 private:
  ProgramRun run_once(std::span<const std::vector<tasks::Array>* const> inputs,
                      const ProgramRunOptions& options) const;
  execute::Run run_process(const execute::RunOptions& options, bool may_share_context) const;
  std::optional<SplitProgramRun> run_split(const std::vector<tasks::Array>& shown,
                                           execute::SplitOptions split,
                                           const ProgramRunOptions& options) const;
  std::optional<SplitProgramRun> run_split_once(const std::vector<tasks::Array>& shown,
                                                const execute::SplitOptions& split,
                                                const ProgramRunOptions& options) const;
  sandbox::SandboxLimits limits_of(const ProgramRunOptions& options, uint64_t data) const;
  void heed_nvcc(ProgramRun& unsupported) const;
  ProgramRun refused_for_want_of_time(size_t trials) const;
  ProgramOutputs take_outputs(const TrialFolder& trial, const ProgramRunOptions& options) const;

  execute::Executor& executor_;
  const JudgeSettings& settings_;
  const tasks::Task& task_;
  const bool checked_;            // built with the emulator's checks
  base::TemporaryFolder folder_;  // holds the source
  execute::BuildOptions build_options_;
  execute::Build build_;
};

// A run that was cut short says nothing about the answer: throws JudgeInterrupted where we were asked to stop, and
// Error where the GPU is lost, so that a run that is resumed judges again.
void stop_unless_it_counts(const execute::Run& run);

// How many sets of inputs of this task may lie on the disk at once.
size_t most_trials_together(const tasks::Task& task);

// Microseconds that all kernels of a run were on the device.
double device_us(const execute::Run& run);

}  // namespace cuset::judge
