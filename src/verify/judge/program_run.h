// One program in the protocol of data files: built once, run on any inputs, its outputs taken up.
#pragma once

#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "verify/execute/executor.h"
#include "verify/judge/judge.h"
#include "verify/judge/verdict.h"
#include "verify/tasks/task.h"

namespace cuset {

struct ProgramRun {
  Word word = Word::kCorrect;  // so far: it ran and wrote every output in a plausible size
  std::string explanation;
  std::vector<Array> outputs;  // of the task's types
  Run run;
};

struct ProgramRunOptions {
  // Counts that outputs must have; empty: the reference is running, whose sizes are taken as they are.
  std::vector<uint64_t> counts;
  double time_limit = 0;    // seconds; 0: the task's
  bool in_harness = false;  // the source was put into our harness (harness.h), which leaves more to look at
  uint64_t poison = 0;      // in_harness: what unwritten memory holds
};

class ProgramRunner {
 public:
  // Compiles `source` at once.
  ProgramRunner(Executor& executor, const JudgeSettings& settings, const Task& task,
                const std::string& source, bool check = false);

  const Build& build() const { return build_; }

  // Safe to call from many threads. Throws Error where the machine fails.
  ProgramRun run(const std::vector<Array>& inputs, const ProgramRunOptions& options) const;

  // The build's outcome as a word; kCorrect where it is done.
  Word word_of_build() const;

 private:
  void take_outputs(const std::filesystem::path& folder, const ProgramRunOptions& options,
                    ProgramRun& run) const;

  Executor& executor_;
  const JudgeSettings& settings_;
  const Task& task_;
  TemporaryFolder folder_;  // holds the source
  Build build_;
};

// Microseconds that all kernels of a run were on the device.
double device_us(const Run& run);

}  // namespace cuset
