// The inputs and expected outputs of a module, computed by its reference in a separate process.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/files/temporary_folder.h"
#include "benchmarks/kernelbench/module_judge.h"
#include "benchmarks/kernelbench/module_work.h"
#include "tasks/array.h"
#include "tasks/inputs.h"

namespace cuset::benchmarks {

struct ModuleOutput {
  std::string name;  // "out0"
  tasks::NumberType type = tasks::NumberType::kFloat32;
  tasks::Shape shape;
  tasks::Array wanted;  // float64 where the reference runs in it, else as the reference gave it
  tasks::Tolerance tolerance;
};

struct ModuleTrial {
  size_t number = 0;
  tasks::Variation variation = tasks::Variation::kPlain;
  base::Json inputs;                     // as the child describes them
  std::vector<std::string> input_files;  // names in the folder, those of values left out
  std::vector<ModuleOutput> outputs;
};

// KernelBench's own: 1e-4 for float32, 1e-2 for the half types, absolute and relative.
tasks::Tolerance module_tolerance(tasks::NumberType type);

// The part of the folder for inputs that belongs to one task, while this lives.
class TaskInputs {
 public:
  explicit TaskInputs(std::shared_ptr<const base::TemporaryFolder> all);
  ~TaskInputs();
  TaskInputs(const TaskInputs&) = delete;
  TaskInputs& operator=(const TaskInputs&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::shared_ptr<const base::TemporaryFolder> all_;
  std::filesystem::path path_;
};

// What every process of a task is told: on which device, with which weights, how much data.
base::Json module_request(const ModuleJudgeSettings& settings, const tasks::Task& task);

// What they run with.
ModuleProcess module_process(const ModuleJudgeSettings& settings, const tasks::Task& task);

struct ReferenceTimes;  // module_timing.h

class ModuleExpected {
 public:
  // Runs the reference. Where it gives no outputs, outcome() and explanation() say why.
  ModuleExpected(const ModuleJudgeSettings& settings, const tasks::Task& task);

  judge::Outcome outcome() const { return outcome_; }  // kCorrect, or kFaultyTask or kUnsupported
  const std::string& explanation() const { return explanation_; }
  const std::vector<ModuleTrial>& trials() const { return trials_; }
  // Holds the inputs of the trials, and nothing that an answer must not see.
  const std::filesystem::path& inputs() const { return inputs_.path(); }

  // What the device did in each of the reference's calls; empty where no timeline is written.
  const std::vector<ActivityList>& reference_calls() const { return reference_calls_; }
  uint64_t input_bytes() const;  // of one trial
  // What a process must be told to read the inputs of that trial on the emulator.
  uint64_t input_word(const ModuleTrial& trial) const;
  // What the process has to answer when it is asked for the checksums of its inputs (module_session.h).
  std::vector<uint64_t> input_sums(const ModuleTrial& trial, uint32_t factor, uint32_t offset) const;

  // The reference's times, measured by the first who asks.
  const ReferenceTimes& reference_times(const std::function<ReferenceTimes()>& measure) const;

 private:
  ModuleRun run_oracle_repeatedly(const ModuleJudgeSettings& settings, const tasks::Task& task) const;
  ModuleRun run_oracle(const ModuleJudgeSettings& settings, const tasks::Task& task) const;
  void read_trials(const base::Json& result);
  void move_inputs() const;
  std::string read_input(const ModuleTrial& trial, const std::string& file) const;
  bool is_constant() const;                               // all trials expect the same
  const tasks::Array* plain_output(size_t output) const;  // of the first trial; null while that is being read
  ModuleTrial read_trial(const base::Json& description, size_t number) const;
  ModuleOutput read_output_of(const base::Json& description, size_t trial, size_t output) const;
  std::vector<tasks::Array> arrays_of_inputs(const ModuleTrial& trial,
                                             std::vector<tasks::TaskInput>& names) const;
  void fit(ModuleTrial& trial, const base::Json& exact, size_t number) const;

  base::TemporaryFolder folder_;
  const TaskInputs inputs_;
  std::optional<base::InputKey> input_key_;  // where answers must not read them
  const base::InputKey input_words_;
  judge::Outcome outcome_ = judge::Outcome::kCorrect;
  std::string explanation_;
  std::vector<ModuleTrial> trials_;
  std::vector<ActivityList> reference_calls_;
  std::unique_ptr<std::mutex> timing_ = std::make_unique<std::mutex>();  // held while the reference is timed
  mutable std::shared_ptr<const ReferenceTimes> reference_times_;
};

// A tensor that a process wrote: an array of the described type and shape. Nothing where the description is
// not of a tensor, or the file is not of its size.
std::optional<tasks::Array> read_tensor(const std::filesystem::path& folder, const std::string& file,
                                        const base::Json& description);

}  // namespace cuset::benchmarks
