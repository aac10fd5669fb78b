#include "benchmarks/kernelbench/module_expected.h"

#include <algorithm>
#include <cmath>

#include "base/files/copy_folder.h"
#include "base/error.h"
#include "base/files/file.h"
#include "base/json/json_cursor.h"
#include "base/stats/random.h"
#include "benchmarks/kernelbench/module_process.h"
#include "judge/compare.h"
#include "judge/data_files.h"
#include "judge/judge_settings.h"
#include "judge/tolerance.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestTensor = 32ull << 30;
constexpr int kTimingTrials = 2;
constexpr double kGrowth = 8;  // an honest sum in another order may be so much further off than the reference
constexpr double kMostGrowth = 1e-3;  // of the largest element
constexpr double kRoom = 4;

Variation variation_named(const std::string& name) {
  for (int i = 0; i < kVariations; ++i) {
    if (name_of(static_cast<Variation>(i)) == name) return static_cast<Variation>(i);
  }
  return Variation::kPlain;
}

double largest_of(const Array& array) {
  double largest = 0;
  for (uint64_t i = 0; i < array.count(); ++i) {
    if (const double value = std::abs(array.at(i)); std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

// Where sums cancel, float32 is further from float64 than KernelBench's tolerance: the tolerance grows with
// the error of the reference itself. Where that is large (a comparison went the other way), float64 is not an
// oracle.
void take_exact(ModuleOutput& output, Array exact) {
  if (!is_floating(output.type)) return;
  const double off = compare("", output.wanted, exact, output.tolerance).largest_absolute;
  const double needed = kGrowth * off;
  if (!(needed <= std::max(output.tolerance.absolute, kMostGrowth * largest_of(exact)))) return;
  output.tolerance.absolute = std::max(output.tolerance.absolute, needed);
  output.wanted = std::move(exact);
}

Json seeds_of(RandomStream stream, int count) {
  Json seeds = Json::array();
  for (int i = 0; i < count; ++i) seeds.push_back(stream.next_u32() >> 1);
  return seeds;
}

}  // namespace

Tolerance module_tolerance(NumberType type) {
  const bool half = type == NumberType::kFloat16 || type == NumberType::kBfloat16;
  return half ? Tolerance{1e-2, 1e-2} : Tolerance{1e-4, 1e-4};
}

std::optional<Array> read_tensor(const fs::path& folder, const std::string& file, const Json& description) {
  const std::optional<NumberType> type = number_type_named(json_string(description, "dtype"));
  if (!type || !json_member(description, "shape").is_array()) return std::nullopt;
  Array array;
  array.type = *type;
  uint64_t bytes = bytes_of(*type);
  for (const Json& side : json_list(description, "shape")) {
    if (!side.is_number_unsigned() || side.get<uint64_t>() > kLargestTensor) return std::nullopt;
    array.shape.push_back(side.get<int64_t>());
    if (__builtin_mul_overflow(bytes, side.get<uint64_t>(), &bytes) || bytes > kLargestTensor)
      return std::nullopt;
  }
  OutputFile content = read_output(folder, file, bytes);
  if (content.state != OutputFile::State::kWhole || content.bytes.size() != bytes) return std::nullopt;
  array.bytes = std::move(content.bytes);
  return array;
}

ModuleExpected::ModuleExpected(const ModuleJudgeSettings& settings, const Task& task) {
  const RandomStream stream(settings.seed, task.id + " module");
  weight_seed_ = stream.child("weights").next_u32() >> 1;
  write_file_atomic(folder_ / "problem.py", task.module);
  ModuleProcess process{settings.python, settings.gpu ? &*settings.gpu : nullptr, settings.limits,
                        settings.confinement};
  process.limits.wall_time = std::chrono::milliseconds(static_cast<int64_t>(task.time_limit * 1000));
  const Json request = {
      {"device", settings.gpu ? "cuda" : "cpu"},
      {"weight_seed", weight_seed_},
      {"seeds", seeds_of(stream.child("inputs"), settings.trials + (settings.timing ? kTimingTrials : 0))},
      {"data_limit", settings.data_limit}};
  const ModuleRun run = run_module(process, "oracle", folder_.path(), request);
  if (run.run.outcome == Run::Outcome::kInterrupted) throw JudgeInterrupted();
  if (json_string(run.result, "phase") == "done") {
    try {
      read_trials(run.result);
      tried_ = static_cast<size_t>(settings.trials);
      if (trials_.size() >= tried_) return;
    } catch (const Json::exception&) {  // the problem's own code may have written there
    } catch (const Error& error) {
      explanation_ = error.what();
    }
  }
  outcome_ = Outcome::kFaultyTask;
  if (!explanation_.empty()) return;
  const std::string error = json_string(run.result, "error");
  if (json_string(run.result, "phase") == "large") {
    outcome_ = Outcome::kUnsupported;
    explanation_ = "too large: " + in_quotes(error, 300);
    return;
  }
  explanation_ = fmt::format("the reference gives nothing to compare with: {}",
                             error.empty() ? run.run.explanation : in_quotes(error, 300));
}

void ModuleExpected::read_trials(const Json& result) {
  problem_ = read_file(folder_ / "problem_used.py");
  for (const Json& description : result.at("trials"))
    trials_.push_back(read_trial(description, trials_.size()));
  if (trials_.size() > 1 && is_constant()) {
    outcome_ = Outcome::kFaultyTask;
    explanation_ = "the expected outputs are the same for all inputs: a constant would pass";
  }
}

const Array* ModuleExpected::plain_output(size_t output) const {
  const bool known = !trials_.empty() && output < trials_[0].outputs.size();
  return known ? &trials_[0].outputs[output].wanted : nullptr;
}

bool ModuleExpected::is_constant() const {
  for (const ModuleTrial& trial : trials_) {
    if (trial.outputs.size() != trials_[0].outputs.size()) return false;
    for (size_t i = 0; i < trial.outputs.size(); ++i) {
      const ModuleOutput& output = trial.outputs[i];
      const ModuleOutput& first = trials_[0].outputs[i];
      if (output.shape != first.shape || !all_right(output.wanted, first.wanted, first.tolerance))
        return false;
    }
  }
  return true;
}

ModuleTrial ModuleExpected::read_trial(const Json& description, size_t number) {
  ModuleTrial trial;
  trial.number = number;
  trial.variation = variation_named(json_string(description, "variation"));
  trial.inputs = description.at("inputs");
  for (size_t i = 0; i < trial.inputs.size(); ++i) {
    if (trial.inputs[i].contains("shape"))
      trial.input_files.push_back(fmt::format("in_{}_{}.bin", number, i));
  }
  for (const Json& output : description.at("outputs"))
    trial.outputs.push_back(read_output_of(output, number, trial.outputs.size()));
  fit(trial, description.at("exact"), number);
  return trial;
}

ModuleOutput ModuleExpected::read_output_of(const Json& description, size_t trial, size_t output) {
  std::optional<Array> array =
      read_tensor(folder_.path(), fmt::format("reference_{}_{}.bin", trial, output), description);
  if (!array) {
    throw Error("the reference's output {} has type {}", output, in_quotes(json_string(description, "dtype")))
        .with_remedy("outputs of this type cannot be compared");
  }
  ModuleOutput expected;
  expected.name = fmt::format("out{}", output);
  expected.type = array->type;
  expected.shape = array->shape;
  expected.wanted = *std::move(array);
  expected.tolerance = module_tolerance(expected.type);
  return expected;
}

std::vector<Array> ModuleExpected::arrays_of_inputs(const ModuleTrial& trial,
                                                    std::vector<TaskInput>& names) const {
  std::vector<Array> arrays;
  for (size_t i = 0, file = 0; i < trial.inputs.size(); ++i) {
    if (!trial.inputs[i].contains("shape")) continue;
    if (auto array = read_tensor(folder_.path(), trial.input_files[file++], trial.inputs[i])) {
      names.push_back({fmt::format("in{}", i), array->type, array->shape, {}});
      arrays.push_back(*std::move(array));
    }
  }
  return arrays;
}

// Takes the float64 outputs and a tolerance that no control passes, as far as the reference's own float32
// outputs pass with room.
void ModuleExpected::fit(ModuleTrial& trial, const Json& exact, size_t number) {
  std::vector<TaskInput> names;
  const std::vector<Array> inputs = arrays_of_inputs(trial, names);
  for (size_t i = 0; i < trial.outputs.size(); ++i) {
    ModuleOutput& output = trial.outputs[i];
    const Array reference = output.wanted;
    if (exact.is_array() && i < exact.size()) {
      if (auto precise = read_tensor(folder_.path(), fmt::format("exact_{}_{}.bin", number, i), exact[i]))
        take_exact(output, *std::move(precise));
    }
    const Array* plain = plain_output(i);
    const double largest = largest_finite(output.wanted);
    const double usual = plain == nullptr ? largest : largest_finite(*plain);
    const ToleranceContext context{&names, &inputs, 0, largest, usual, plain};
    const TaskOutput declared{output.name, output.type, output.shape, output.tolerance};
    const Tolerance fitted = fit_tolerance(output.tolerance, declared, output.wanted, context);
    const Tolerance with_room{fitted.absolute / kRoom, fitted.relative / kRoom};
    if (all_right(reference, output.wanted, with_room)) output.tolerance = fitted;
  }
}

Json ModuleExpected::lay_inputs(const fs::path& folder, std::span<const ModuleTrial> trials) const {
  write_file_atomic(folder / "problem.py", problem_);
  Json told = Json::array();
  for (const ModuleTrial& trial : trials) {
    for (const std::string& file : trial.input_files) copy_regular_file(folder_ / file, folder / file);
    told.push_back({{"number", trial.number}, {"inputs", trial.inputs}});
  }
  return told;
}

}  // namespace cuset
