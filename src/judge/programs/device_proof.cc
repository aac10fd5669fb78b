#include "judge/programs/device_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/human_readable.h"
#include "base/log.h"
#include "base/seconds_since.h"
#include "judge/run/downloads.h"
#include "judge/run/harness.h"
#include "judge/trials/compare.h"

namespace cuset::judge {
namespace {

constexpr uint64_t kAllowedShare = 16;      // one part in so many of the inputs
constexpr uint64_t kAllowedAlways = 64;     // bytes: flags, counters, a scalar
constexpr uint64_t kMostUnusual = 4 << 20;  // bytes of inputs with which answers are proven more than once

// "out[3] is 0, wanted 1.5"; empty where `got` is right.
std::string differences(const tasks::Task& task, const ExpectedTrial& expected,
                        const std::vector<tasks::Array>& got, const std::vector<tasks::Array>& wanted) {
  Trial trial;
  trial.variation = expected.variation;
  for (size_t i = 0; i < got.size(); ++i)
    trial.outputs.push_back(compare(task.outputs[i].name, got[i], wanted[i], expected.tolerances[i]));
  return explain_wrong(trial);
}

// The same, or how the run ended.
std::string what_went_wrong(const tasks::Task& task, const ExpectedTrial& expected,
                            const ProgramOutputs& got) {
  if (got.outcome != Outcome::kCorrect)
    return got.explanation.empty() ? std::string(name_of(got.outcome)) : got.explanation;
  return differences(task, expected, got.outputs, expected.outputs);
}

// Whether the reference gives the same outputs when its kernels run where the answer's did. What it leaves unwritten is
// zero in fresh memory of a GPU, which the expected outputs come from, but not in memory that was filled before.
bool agrees_with_reference(const tasks::Task& task, const ExpectedTrial& expected, const ProgramOutputs& got,
                           const ProofReference& reference, ProgramRunOptions options) {
  const ProgramRunner* const runner = reference();
  if (runner == nullptr) return false;
  options.in_harness = false;
  options.is_trusted = true;
  options.budget = nullptr;
  const std::optional<SplitProgramRun> run = runner->run_split({expected.inputs, expected.inputs}, options);
  return run && run->outputs.outcome == Outcome::kCorrect &&
         differences(task, expected, got.outputs, run->outputs.outputs).empty();
}

// One answer's proofs.
struct Prover {
  const ProgramRunner& runner;
  const tasks::Task& task;
  const ProofReference& reference;
  const ProgramRunOptions& options;

  // With these inputs, of which the real ones are the trial's.
  DeviceProof prove(const ExpectedTrial& real, const SplitInputs& inputs) const {
    DeviceProof proof;
    const auto start = std::chrono::steady_clock::now();
    const std::optional<SplitProgramRun> run = runner.run_split(inputs, options);
    base::log_debug("proof of {}: {:.2f} s, of it its device process {:.2f} s", task.id,
                    base::seconds_since(start), run ? run->device.process.wall_seconds : 0.0);
    if (!run) {
      proof.explanation =
          "its work cannot be proven: this installation lacks cuset_gpu_device or the emulator's runtime";
    } else if (run->outputs.outcome == Outcome::kUnsupported) {
      proof.explanation =
          fmt::format("its work cannot be proven: {} is not supported in a proof", run->outputs.explanation);
    } else {
      conclude(real, inputs, *run, proof);
    }
    return proof;
  }

 private:
  void conclude(const ExpectedTrial& real, const SplitInputs& inputs, const SplitProgramRun& run,
                DeviceProof& proof) const {
    std::string wrong = what_went_wrong(task, real, run.outputs);
    if (!wrong.empty() && run.outputs.outcome == Outcome::kCorrect &&
        agrees_with_reference(task, real, run.outputs, reference, options))
      wrong.clear();
    proof.state = DeviceProof::State::kRefuted;
    proof.explanation = fmt::format("with inputs that only its kernels see, it is wrong: {}", wrong);
    // A host that ended as if all were well has not noticed anything: it computed the outputs itself.
    if (!wrong.empty() && run.outputs.outcome == Outcome::kCorrect) return;
    if (wrong.empty()) proof.explanation = find_excess_downloads(task, real.inputs, options, run);
    if (!proof.explanation.empty() && !is_right_replayed(real, inputs, proof)) return;
    proof.state = DeviceProof::State::kProven;
  }

  // The second way, without the host.
  bool is_right_replayed(const ExpectedTrial& real, const SplitInputs& inputs, DeviceProof& proof) const {
    proof.recorded = runner.record(inputs.shown, options);
    if (!proof.recorded) return false;
    const std::optional<SplitProgramRun> replayed = runner.replay(*proof.recorded, inputs, options);
    return replayed && what_went_wrong(task, real, replayed->outputs).empty();
  }
};

// Trials, one of each kind, with what a host could serve by itself because its kernel fails on it: few large numbers, zeros,
// ties, the ends of the domain, one number that counts. Where there is much data, none: each costs a run.
std::vector<size_t> unusual_trials(const Expected& expected) {
  const std::vector<tasks::Array>& usual = expected.trials[0].inputs;
  std::vector<size_t> trials;
  if (bytes_of(usual) > kMostUnusual) return trials;
  for (const tasks::Variation variation :
       {tasks::Variation::kHeavyTailed, tasks::Variation::kZerosAndSigns, tasks::Variation::kLowEdge,
        tasks::Variation::kHighEdge, tasks::Variation::kPeak}) {
    const auto found =
        std::find_if(expected.trials.begin(), expected.trials.end(), [&](const ExpectedTrial& trial) {
          return trial.variation == variation && have_same_sizes(trial.inputs, usual);
        });
    if (found != expected.trials.end())
      trials.push_back(static_cast<size_t>(found - expected.trials.begin()));
  }
  return trials;
}

}  // namespace

std::string find_excess_downloads(const tasks::Task& task, const std::vector<tasks::Array>& inputs,
                                  const ProgramRunOptions& options, const SplitProgramRun& run) {
  const uint64_t allowed = std::max(kAllowedAlways, bytes_of(inputs) / kAllowedShare) +
                           (options.in_harness ? 2 * kGuardBytes * task.outputs.size() : 0);
  const uint64_t beside = bytes_beside_outputs(run.downloads, run.outputs.outputs);
  if (beside <= allowed) return "";
  return fmt::format("the host was given {} of intermediate results, more than {}", base::human_bytes(beside),
                     base::human_bytes(allowed));
}

bool is_right_without(const std::vector<std::string>& kernels, const DeviceProof& proof,
                      const ProgramRunner& runner, const tasks::Task& task, const Expected& expected,
                      ProgramRunOptions options) {
  const ExpectedTrial& real = expected.trials[0];
  const SplitInputs inputs{proof.inputs->shown, real.inputs, proof.inputs->only_rearranges};
  std::optional<RecordedProgram> fresh;
  if (!proof.recorded) fresh = runner.record(inputs.shown, options);
  const std::optional<RecordedProgram>& recorded = proof.recorded ? proof.recorded : fresh;
  options.idle_kernels = kernels;
  std::optional<SplitProgramRun> run;
  if (recorded) run = runner.replay(*recorded, inputs, options);
  if (!run) run = runner.run_split(inputs, options);
  return run && what_went_wrong(task, real, run->outputs).empty();
}

DeviceProof prove_on_device(const ProgramRunner& runner, const tasks::Task& task, const Expected& expected,
                            const ProofReference& reference, const ProgramRunOptions& options) {
  const ProofInputs& proof_inputs = expected.proof->of(expected);
  const Prover prover{runner, task, reference, options};
  DeviceProof proof = prover.prove(
      expected.trials[0], {proof_inputs.shown, expected.trials[0].inputs, proof_inputs.only_rearranges});
  proof.inputs = &proof_inputs;
  if (proof.state != DeviceProof::State::kProven) return proof;
  for (const size_t trial : unusual_trials(expected)) {
    const ExpectedTrial& real = expected.trials[trial];
    const std::vector<tasks::Array> shown = shown_with_sizes_of(proof_inputs, real.inputs);
    DeviceProof unusual = prover.prove(real, {shown, real.inputs, proof_inputs.only_rearranges});
    if (unusual.state != DeviceProof::State::kRefuted) continue;
    proof.state = unusual.state;
    proof.explanation = std::move(unusual.explanation);
    return proof;
  }
  return proof;
}

}  // namespace cuset::judge
