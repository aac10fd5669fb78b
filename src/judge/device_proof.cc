#include "judge/device_proof.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/human_readable.h"
#include "judge/compare.h"
#include "judge/downloads.h"
#include "judge/harness.h"

namespace cuset::judge {
namespace {

constexpr uint64_t kAllowedShare = 16;   // one part in so many of the inputs
constexpr uint64_t kAllowedAlways = 64;  // bytes: flags, counters, a scalar

// "out[3] is 0, wanted 1.5", or how the run ended.
std::string what_went_wrong(const tasks::Task& task, const ExpectedTrial& expected,
                            const ProgramOutputs& got) {
  if (got.outcome != Outcome::kCorrect)
    return got.explanation.empty() ? std::string(name_of(got.outcome)) : got.explanation;
  Trial trial;
  trial.variation = expected.variation;
  for (size_t i = 0; i < got.outputs.size(); ++i)
    trial.outputs.push_back(
        compare(task.outputs[i].name, got.outputs[i], expected.outputs[i], expected.tolerances[i]));
  return explain_wrong(trial);
}

// Of a run with right outputs: whether the host was given too much beside them.
DeviceProof judge_downloads(const tasks::Task& task, const ExpectedTrial& real,
                            const ProgramRunOptions& options, const SplitProgramRun& run) {
  const uint64_t allowed = std::max(kAllowedAlways, bytes_of(real.inputs) / kAllowedShare) +
                           (options.in_harness ? 2 * kGuardBytes * task.outputs.size() : 0);
  const uint64_t beside = bytes_beside_outputs(run.downloads, run.outputs.outputs);
  if (beside > allowed)
    return {DeviceProof::State::kRefuted,
            fmt::format("the host was given {} of intermediate results, more than {}",
                        base::human_bytes(beside), base::human_bytes(allowed))};
  return {DeviceProof::State::kProven, ""};
}

}  // namespace

DeviceProof prove_on_device(const ProgramRunner& runner, const tasks::Task& task, const Expected& expected,
                            const ProgramRunOptions& options) {
  const ExpectedTrial& real = expected.trials[0];
  const ProofInputs& made = expected.proof->of(expected);
  const SplitInputs inputs{made.shown, real.inputs, made.only_rearranges};
  const std::optional<SplitProgramRun> run = runner.run_split(inputs, options);
  if (!run)
    return {DeviceProof::State::kImpossible,
            "its work cannot be proven: this installation lacks cuset_gpu_device or the emulator's runtime"};
  if (run->outputs.outcome == Outcome::kUnsupported)
    return {DeviceProof::State::kImpossible,
            fmt::format("its work cannot be proven: {} is not supported in a proof", run->outputs.explanation)};
  const std::string wrong = what_went_wrong(task, real, run->outputs);
  DeviceProof proof{DeviceProof::State::kRefuted,
                    fmt::format("with inputs that only its kernels see, it is wrong: {}", wrong)};
  // A host that ended as if all were well has not noticed anything: it computed the outputs itself.
  if (!wrong.empty() && run->outputs.outcome == Outcome::kCorrect) return proof;
  if (wrong.empty()) proof = judge_downloads(task, real, options, *run);
  if (proof.state == DeviceProof::State::kProven) return proof;
  const std::optional<ProgramOutputs> replayed = runner.run_and_replay(inputs, options);
  if (replayed && what_went_wrong(task, real, *replayed).empty()) proof = {DeviceProof::State::kProven, ""};
  return proof;
}

}  // namespace cuset::judge
