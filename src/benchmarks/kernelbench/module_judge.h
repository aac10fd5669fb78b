// Judges an answer to a KernelBench problem (AnswerKind::kModule): Python with a class ModelNew.
// docs/benchmarks.md.
//
// One process runs the reference on fresh inputs of several distributions, in float64 where the module allows
// it; another, in a folder that never holds an expected output, runs the answer on the same inputs; what both
// wrote is compared here. Kernels that the answer defines must have been launched in every call, and must have
// replaced what PyTorch's own kernels do in the reference (module_work.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "benchmarks/kernelbench/module_process.h"
#include "judge/verdict/verdict.h"
#include "tasks/task.h"

namespace cuset::benchmarks {

// ModuleJudgeSettings::data_limit and work_limit where the emulator runs the kernels.
inline constexpr uint64_t kEmulatedDataLimit = 16ull << 20;
inline constexpr uint64_t kEmulatedWorkLimit = 1'000'000'000;

struct ModuleJudgeSettings {
  judge::Python python;
  // Where kernels run; nowhere if there is neither.
  std::optional<ModuleGpu> gpu;
  std::optional<execute::TorchToolkit> emulator;
  uint64_t seed = 0;
  int trials = 5;
  bool timing = false;             // of correct answers, beside the reference
  bool compiled_baseline = false;  // also beside the reference under torch.compile
  int warm_ups = 3;
  int timed_runs = 100;
  // Bytes of the inputs of one trial; where they are more and the problem has a `batch_size`, that is halved
  // until they are not.
  uint64_t data_limit = 256ull << 20;
  // Operations of one call in products and convolutions. Where this is set and the batch cannot be made smaller, the
  // largest number that the problem names is halved.
  std::optional<uint64_t> work_limit = std::nullopt;
  sandbox::SandboxLimits limits;  // of one process; the time is the task's
  // Holds the inputs of all tasks' trials; every process can read it.
  std::shared_ptr<const base::TemporaryFolder> inputs = make_inputs_folder();
  // With what these are hidden from answers on the emulator.
  base::InputKey input_key = base::random_input_key();
  // What the words are made of with which the inputs of a trial can be read: nobody is told these before its turn.
  base::InputKey input_words = base::random_input_key();
  sandbox::Confinement confinement = sandbox::Confinement::kFull;

  bool runs_kernels() const { return gpu || emulator; }
};

// Limits that are wide enough for PyTorch, nvcc and a GPU's driver.
sandbox::SandboxLimits module_limits();

class ModuleExpected;

// `code` is the program of the answer, already taken out of its text; `expected` gives what module_expected.h
// makes of the task, and is called only if it is needed. Throws Error only where the machine fails, and
// JudgeInterrupted. Safe to call from many threads.
judge::Verdict judge_module(const ModuleJudgeSettings& settings, const tasks::Task& task,
                            const std::string& code, const std::function<const ModuleExpected&()>& expected);
// The same, with expected outputs that are computed for this answer only.
judge::Verdict judge_module(const ModuleJudgeSettings& settings, const tasks::Task& task,
                            const std::string& code);

}  // namespace cuset::benchmarks
