#include "benchmarks/kernelbench/module_expected.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <future>
#include <iterator>

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/json_cursor.h"
#include "base/stats/random.h"
#include "benchmarks/kernelbench/module_process.h"
#include "benchmarks/kernelbench/module_timing.h"
#include "execute/build/companion_sources.h"
#include "judge/run/data_files.h"
#include "judge/trials/compare.h"
#include "judge/trials/tolerance.h"
#include "judge/verdict/judge_settings.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestTensor = 32ull << 30;
constexpr double kGrowth = 8;  // an honest sum in another order may be so much further off than the reference
constexpr double kMostGrowth = 1e-3;  // of the largest element
constexpr double kRoom = 4;

tasks::Variation variation_named(const std::string& name) {
  for (int i = 0; i < tasks::kVariations; ++i) {
    if (tasks::name_of(static_cast<tasks::Variation>(i)) == name) return static_cast<tasks::Variation>(i);
  }
  return tasks::Variation::kPlain;
}

double largest_of(const tasks::Array& array) {
  double largest = 0;
  for (uint64_t i = 0; i < array.count(); ++i) {
    if (const double value = std::abs(array.at(i)); std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

// Where sums cancel, float32 is further from float64 than KernelBench's tolerance: the tolerance grows with
// the error of the reference itself. Where that is large (a comparison went the other way), float64 is not an
// oracle.
void take_exact(ModuleOutput& output, tasks::Array exact) {
  if (!tasks::is_floating(output.type)) return;
  const double off = judge::compare("", output.wanted, exact, output.tolerance).largest_absolute;
  const double needed = kGrowth * off;
  if (!(needed <= std::max(output.tolerance.absolute, kMostGrowth * largest_of(exact)))) return;
  output.tolerance.absolute = std::max(output.tolerance.absolute, needed);
  output.wanted = std::move(exact);
}

base::Json seeds_of(base::RandomStream stream, int count) {
  base::Json seeds = base::Json::array();
  for (int i = 0; i < count; ++i) seeds.push_back(stream.next_u32() >> 1);
  return seeds;
}

}  // namespace

tasks::Tolerance module_tolerance(tasks::NumberType type) {
  const bool half = type == tasks::NumberType::kFloat16 || type == tasks::NumberType::kBfloat16;
  return half ? tasks::Tolerance{1e-2, 1e-2} : tasks::Tolerance{1e-4, 1e-4};
}

std::optional<tasks::Array> read_tensor(const fs::path& folder, const std::string& file,
                                        const base::Json& description) {
  const std::optional<tasks::NumberType> type =
      tasks::number_type_named(base::json_string(description, "dtype"));
  if (!type || !base::json_member(description, "shape").is_array()) return std::nullopt;
  tasks::Array array;
  array.type = *type;
  uint64_t bytes = tasks::bytes_of(*type);
  for (const base::Json& side : base::json_list(description, "shape")) {
    if (!side.is_number_unsigned() || side.get<uint64_t>() > kLargestTensor) return std::nullopt;
    array.shape.push_back(side.get<int64_t>());
    if (__builtin_mul_overflow(bytes, side.get<uint64_t>(), &bytes) || bytes > kLargestTensor)
      return std::nullopt;
  }
  judge::OutputFile content = judge::read_output(folder, file, bytes);
  if (content.state != judge::OutputFile::State::kWhole || content.bytes.size() != bytes) return std::nullopt;
  array.bytes = std::move(content.bytes);
  return array;
}

TaskInputs::TaskInputs(std::shared_ptr<const base::TemporaryFolder> all) : all_(std::move(all)) {
  std::string name = (all_->path() / "XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw base::file_error("make", name, errno);
  path_ = name;
  fs::permissions(path_, fs::perms{0755});
}

TaskInputs::~TaskInputs() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

base::Json module_request(const ModuleJudgeSettings& settings, const tasks::Task& task) {
  const base::RandomStream stream(settings.seed, task.id + " module");
  base::Json request = {{"device", settings.runs_kernels() ? "cuda" : "cpu"},
                        {"weight_seed", stream.child("weights").next_u32() >> 1},
                        {"data_limit", settings.data_limit}};
  if (settings.work_limit) request["work_limit"] = *settings.work_limit;
  return request;
}

ModuleProcess module_process(const ModuleJudgeSettings& settings, const tasks::Task& task) {
  ModuleProcess process{settings.python,
                        settings.gpu ? &*settings.gpu : nullptr,
                        settings.emulator ? &*settings.emulator : nullptr,
                        settings.limits,
                        settings.confinement,
                        {settings.inputs->path()}};
  process.input_key = settings.input_key;
  process.limits.wall_time = std::chrono::milliseconds(static_cast<int64_t>(task.time_limit * 1000));
  return process;
}

ModuleRun ModuleExpected::run_oracle(const ModuleJudgeSettings& settings, const tasks::Task& task) const {
  base::write_file_atomic(folder_ / "problem.py", task.module);
  base::Json request = module_request(settings, task);
  const base::RandomStream stream(settings.seed, task.id + " module");
  request["seeds"] = seeds_of(stream.child("inputs"), settings.trials + 1);  // one for large inputs
  ModuleServer server(module_process(settings, task), "oracle", folder_.path(), request);
  if (server.session().load()) {
    server.hold(execute::GpuQueue::Want::kShared);
    if (server.session().construct()) server.session().make();
    server.let_go();
  }
  ModuleRun run = server.finish();
  if (run.run.outcome == execute::Run::Outcome::kInterrupted) throw judge::JudgeInterrupted();
  return run;
}

ModuleRun ModuleExpected::run_oracle_repeatedly(const ModuleJudgeSettings& settings,
                                                const tasks::Task& task) const {
  ModuleRun run = run_oracle(settings, task);
  for (int i = 0; i < sandbox::kMostRepeats && run.run.process.stray_kill; ++i) {
    execute::keep_only(folder_.path(), {});
    run = run_oracle(settings, task);
  }
  return run;
}

ModuleExpected::ModuleExpected(const ModuleJudgeSettings& settings, const tasks::Task& task)
    : inputs_(settings.inputs), input_words_(settings.input_words) {
  if (settings.emulator) input_key_ = settings.input_key;
  const ModuleRun run = run_oracle_repeatedly(settings, task);
  if (base::json_string(run.result, "phase") == "done") {
    try {
      read_trials(run.result);
      reference_calls_ = marked_calls(run.timeline);
      if (trials_.size() >= static_cast<size_t>(settings.trials)) return;
    } catch (const base::Json::exception&) {  // the problem's own code may have written there
    } catch (const base::Error& error) {
      explanation_ = error.what();
    }
  }
  outcome_ = judge::Outcome::kFaultyTask;
  if (!explanation_.empty()) return;
  const std::string error = base::json_string(run.result, "error");
  if (base::json_string(run.result, "phase") == "large") {
    outcome_ = judge::Outcome::kUnsupported;
    explanation_ = "too large: " + base::in_quotes(error, 300);
    return;
  }
  explanation_ = fmt::format("the reference gives nothing to compare with: {}",
                             error.empty() ? run.run.explanation : base::in_quotes(error, 300));
}

void ModuleExpected::read_trials(const base::Json& result) {
  const base::Json& descriptions = result.at("trials");
  if (descriptions.empty()) return;
  // The others look at the first's outputs.
  trials_.push_back(read_trial(descriptions.at(0), 0));
  std::vector<std::future<ModuleTrial>> others;
  for (size_t number = 1; number < descriptions.size(); ++number)
    others.push_back(
        std::async(std::launch::async, [&, number] { return read_trial(descriptions[number], number); }));
  std::vector<ModuleTrial> read;
  for (std::future<ModuleTrial>& other : others) read.push_back(other.get());
  std::move(read.begin(), read.end(), std::back_inserter(trials_));
  if (trials_.size() > 1 && is_constant()) {
    outcome_ = judge::Outcome::kFaultyTask;
    explanation_ = "the expected outputs are the same for all inputs: a constant would pass";
  }
  move_inputs();
  base::write_file_atomic(inputs() / "weights.json", result.at("weights").dump());
}

// To where answers see them.
void ModuleExpected::move_inputs() const {
  base::Json described = base::Json::array();
  for (const ModuleTrial& trial : trials_) {
    described.push_back(trial.inputs);
    for (const std::string& file : trial.input_files) {
      std::error_code failed;
      if (fs::symlink_status(folder_ / file, failed).type() == fs::file_type::regular)
        fs::rename(folder_ / file, inputs() / file, failed);
      if (failed || !fs::exists(inputs() / file))
        throw base::Error("the reference's input {} is missing", file);
      if (input_key_) base::write_file_atomic(inputs() / file, read_input(trial, file));
    }
  }
  base::write_file_atomic(inputs() / "trials.json", described.dump());
}

const tasks::Array* ModuleExpected::plain_output(size_t output) const {
  const bool known = !trials_.empty() && output < trials_[0].outputs.size();
  return known ? &trials_[0].outputs[output].wanted : nullptr;
}

bool ModuleExpected::is_constant() const {
  for (const ModuleTrial& trial : trials_) {
    if (trial.outputs.size() != trials_[0].outputs.size()) return false;
    for (size_t i = 0; i < trial.outputs.size(); ++i) {
      const ModuleOutput& output = trial.outputs[i];
      const ModuleOutput& first = trials_[0].outputs[i];
      if (output.shape != first.shape || !judge::all_right(output.wanted, first.wanted, first.tolerance))
        return false;
    }
  }
  return true;
}

ModuleTrial ModuleExpected::read_trial(const base::Json& description, size_t number) const {
  ModuleTrial trial;
  trial.number = number;
  trial.variation = variation_named(base::json_string(description, "variation"));
  trial.inputs = description.at("inputs");
  for (size_t i = 0; i < trial.inputs.size(); ++i) {
    if (trial.inputs[i].contains("shape"))
      trial.input_files.push_back(fmt::format("in_{}_{}.bin", number, i));
  }
  for (const base::Json& output : description.at("outputs"))
    trial.outputs.push_back(read_output_of(output, number, trial.outputs.size()));
  fit(trial, description.at("exact"), number);
  return trial;
}

ModuleOutput ModuleExpected::read_output_of(const base::Json& description, size_t trial,
                                            size_t output) const {
  std::optional<tasks::Array> array =
      read_tensor(folder_.path(), fmt::format("reference_{}_{}.bin", trial, output), description);
  if (!array) {
    throw base::Error("the reference's output {} has type {}", output,
                      base::in_quotes(base::json_string(description, "dtype")))
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

std::vector<tasks::Array> ModuleExpected::arrays_of_inputs(const ModuleTrial& trial,
                                                           std::vector<tasks::TaskInput>& names) const {
  std::vector<tasks::Array> arrays;
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
void ModuleExpected::fit(ModuleTrial& trial, const base::Json& exact, size_t number) const {
  std::vector<tasks::TaskInput> names;
  const std::vector<tasks::Array> inputs = arrays_of_inputs(trial, names);
  for (size_t i = 0; i < trial.outputs.size(); ++i) {
    ModuleOutput& output = trial.outputs[i];
    const tasks::Array reference = output.wanted;
    if (exact.is_array() && i < exact.size()) {
      if (auto precise = read_tensor(folder_.path(), fmt::format("exact_{}_{}.bin", number, i), exact[i]))
        take_exact(output, *std::move(precise));
    }
    const tasks::Array* plain = plain_output(i);
    const double largest = judge::largest_finite(output.wanted);
    const double usual = plain == nullptr ? largest : judge::largest_finite(*plain);
    const judge::ToleranceContext context{&names, &inputs, 0, largest, usual, plain};
    const tasks::TaskOutput declared{output.name, output.type, output.shape, output.tolerance};
    const tasks::Tolerance fitted = judge::fit_tolerance(output.tolerance, declared, output.wanted, context);
    const tasks::Tolerance with_room{fitted.absolute / kRoom, fitted.relative / kRoom};
    if (judge::all_right(reference, output.wanted, with_room)) output.tolerance = fitted;
  }
}

// Hidden ones are shown, and the other way round.
std::string ModuleExpected::read_input(const ModuleTrial& trial, const std::string& file) const {
  std::string bytes = base::read_file(inputs() / file);
  const uint64_t number = base::number_of_input((inputs() / file).string(), input_word(trial));
  if (input_key_) base::combine_with_key(bytes.data(), bytes.size(), *input_key_, number);
  return bytes;
}

uint64_t ModuleExpected::input_word(const ModuleTrial& trial) const {
  return base::word_of_input(input_words_, base::number_of_input(inputs().string()) + trial.number);
}

uint64_t ModuleExpected::input_bytes() const {
  uint64_t bytes = 0;
  if (!trials_.empty()) {
    for (const std::string& file : trials_[0].input_files) bytes += fs::file_size(inputs() / file);
  }
  return bytes;
}

std::vector<uint64_t> ModuleExpected::input_sums(const ModuleTrial& trial, uint32_t factor,
                                                 uint32_t offset) const {
  std::vector<uint64_t> sums;
  size_t file = 0;
  for (const base::Json& input : trial.inputs) {
    if (!input.contains("shape")) continue;
    uint64_t elements = 1;
    for (const base::Json& side : input["shape"]) elements *= side.get<uint64_t>();
    const std::string bytes = read_input(trial, trial.input_files[file++]);
    const uint64_t element_bytes = elements == 0 ? 1 : bytes.size() / elements;
    sums.push_back(checksum_of(bytes, element_bytes, factor, offset));
  }
  return sums;
}

const ReferenceTimes& ModuleExpected::reference_times(const std::function<ReferenceTimes()>& measure) const {
  const std::lock_guard lock(*timing_);
  if (!reference_times_) reference_times_ = std::make_shared<const ReferenceTimes>(measure());
  return *reference_times_;
}

}  // namespace cuset::benchmarks
