#include "judge/programs/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <vector>

#include "base/stats/statistics.h"
#include "execute/gpu/gpu_clocks.h"
#include "judge/trials/compare.h"
#include "tasks/oracles/oracles.h"

namespace cuset::judge {
namespace {

constexpr uint64_t kDrawnBytes = 1ull << 30;

constexpr int kMostRounds = 3;          // times those that are asked for
constexpr double kNarrowMedian = 0.02;  // width of the interval that a median is known to, as a share of it

bool is_uncertain(const std::vector<double>& values) {
  if (values.empty()) return false;
  const MedianInterval interval = median_interval(values);
  return interval.high - interval.low > kNarrowMedian * interval.median;
}

// Of what 2 m n k operations take: Strassen's method, applied twice, needs 0.77 of them.
constexpr double kLeastOperations = 0.7;

// Data that fits the last cache can be faster than memory; other data hardly.
double least_honest_us(const tasks::Task& task, const base::GpuInfo& gpu) {
  return floor_us(task, gpu) * (tasks::data_bytes(task) < 2 * gpu.cache_bytes ? 0.2 : 0.8);
}

// Why the time cannot be honest; empty where it can.
std::string find_time_below_floor(double us, const tasks::Task& task, const base::GpuInfo& gpu) {
  if (us < least_honest_us(task, gpu))
    return fmt::format("{:.1f} us is less than its data needs to pass through memory ({:.1f} us)", us,
                       floor_us(task, gpu));
  if (const double operations = operations_floor_us(task, gpu); us < kLeastOperations * operations)
    return fmt::format("{:.1f} us is less than its operations need at the device's peak ({:.1f} us)", us,
                       operations);
  return "";
}

bool is_dense(const tasks::TaskInput& input) {
  using Kind = tasks::Domain::Kind;
  const Kind kind = input.domain.kind;
  return kind == Kind::kNormal || kind == Kind::kUniform || kind == Kind::kPositive;
}

uint64_t elements_of(const tasks::Shape& shape) {
  uint64_t elements = 1;
  for (const int64_t side : shape) elements *= static_cast<uint64_t>(side);
  return elements;
}

// Floating-point operations of one multiprocessor in one clock, by the manuals: of tensor cores without sparsity, for
// 16-bit numbers, of which wider ones can be made up, and for float64. Zero: not known.
double operations_of_clock(const base::GpuInfo& gpu, bool is_double) {
  switch (10 * gpu.compute_major + gpu.compute_minor) {
    case 70:
    case 75:
      return is_double ? 128 : 1024;
    case 80:
      return is_double ? 256 : 2048;
    case 86:
    case 89:
      return is_double ? 128 : 2048;
    case 90:
      return is_double ? 512 : 4096;
    case 100:
    case 103:
      return is_double ? 512 : 8192;
    default:
      return 0;
  }
}

class Rounds {
 public:
  Rounds(const TimedTask& timed, const ProgramRunner& answer, const DeviceProof& proof,
         const ProgramRunOptions& options)
      : timed_(timed),
        answer_(answer),
        proof_(proof),
        options_(options),
        stream_(timed.settings.seed, timed.task.id + " timing"),
        clocks_(execute::GpuClocks::find(timed.gpu.uuid)) {}

  TimingOutcome measure() {
    int made = 0;
    const int wanted = timed_.settings.timing_rounds;
    repeat_rounds(wanted, [&](int round) {
      made = round + 1;
      return measure_round(round);
    });
    while (made < kMostRounds * wanted && needs_more_rounds()) measure_round(made++);
    if (!hack_.empty()) return {std::nullopt, hack_};
    if (answer_us_.empty() || ran_out_of_time_) return {};
    const Timing timing = timing_so_far();
    return {timing, find_time_below_floor(timing.median_us, timed_.task, timed_.gpu)};
  }

 private:
  Timing timing_so_far() const {
    Timing timing;
    const MedianInterval answer = median_interval(answer_us_);
    timing.median_us = answer.median;
    timing.low_us = answer.low;
    timing.high_us = answer.high;
    timing.runs = answer_us_.size();
    if (!reference_us_.empty()) timing.reference_us = base::quantile(reference_us_, 0.5);
    if (timing.median_us > 0) timing.speedup = timing.reference_us / timing.median_us;
    timing.data_bytes = tasks::data_bytes(timed_.task);
    timing.least_us =
        std::max(floor_us(timed_.task, timed_.gpu), operations_floor_us(timed_.task, timed_.gpu));
    if (timing.median_us > 0) timing.roofline_share = timing.least_us / timing.median_us;
    timing.kernels = execute::profile_of(kernels_, timed_.gpu);
    return timing;
  }

  RoundEnd measure_round(int round) {
    std::optional<std::vector<tasks::Array>> made = inputs_of(round);
    if (!made) return RoundEnd::kCounts;
    if (!adapt_to_proof(*proof_.inputs, *made)) return RoundEnd::kCounts;
    const size_t answers = answer_us_.size(), references = reference_us_.size();
    const bool was_slow = is_slowed_down();
    run_both(round, {proof_.inputs->shown, *made, proof_.inputs->only_rearranges});
    if (!hack_.empty() || ran_out_of_time_) return RoundEnd::kIsLast;
    if (!was_slow && !is_slowed_down()) return RoundEnd::kCounts;
    answer_us_.resize(answers);
    reference_us_.resize(references);
    return RoundEnd::kDoesNotCount;
  }

  // Kernels of microseconds vary from process to process: as many more as their median needs.
  bool needs_more_rounds() const {
    return hack_.empty() && !ran_out_of_time_ && (is_uncertain(answer_us_) || is_uncertain(reference_us_));
  }

  bool is_slowed_down() const { return clocks_ && clocks_->is_slowed_down(); }

  void run_both(int round, const SplitInputs& inputs) {
    // They alternate, so that neither always runs at higher clocks.
    if (round % 2 == 0) {
      const std::vector<tasks::Array> wanted = reference_outputs(inputs.real);
      check(run_answer(inputs), wanted);
    } else {
      const std::vector<tasks::Array> got = run_answer(inputs);
      check(got, reference_outputs(inputs.real));
    }
  }

  // Nothing where the task's script, which made inputs before, makes none now.
  std::optional<std::vector<tasks::Array>> inputs_of(int round) {
    const auto stream = [&](int number) { return stream_.child(static_cast<uint64_t>(number)); };
    if (timed_.task.input_script.empty())
      return tasks::make_inputs(timed_.task, tasks::Variation::kPlain, stream(round));
    if (drawn_.empty()) {
      // Many rounds in one process of the script, as long as their inputs are not much data.
      const uint64_t at_once =
          std::max<uint64_t>(1, kDrawnBytes / std::max<uint64_t>(1, tasks::data_bytes(timed_.task)));
      std::vector<InputDraw> draws;
      // At least one: rounds that do not count are made up for by more than were asked for.
      for (int i = round; draws.empty() || (i < timed_.settings.timing_rounds && draws.size() < at_once); ++i)
        draws.push_back({tasks::Variation::kPlain, stream(i)});
      ScriptedTrials made = timed_.scripts.run(timed_.task, draws, false);
      if (made.outcome != Outcome::kCorrect) return std::nullopt;
      drawn_.assign(std::make_move_iterator(made.inputs.begin()), std::make_move_iterator(made.inputs.end()));
    }
    std::vector<tasks::Array> inputs = std::move(drawn_.front());
    drawn_.pop_front();
    return inputs;
  }

  // A baseline is timed, and decides nothing: what is right comes from the oracle.
  std::vector<tasks::Array> reference_outputs(const std::vector<tasks::Array>& inputs) {
    std::vector<tasks::Array> outputs;
    if (timed_.reference != nullptr) outputs = run_reference(inputs);
    if (timed_.task.oracle.native.empty()) return outputs;
    return tasks::oracle_named(timed_.task.oracle.native, timed_.task)(timed_.task, inputs);
  }

  std::vector<tasks::Array> run_reference(const std::vector<tasks::Array>& inputs) {
    ProgramRunOptions timed;
    timed.timed = true;
    std::optional<SplitProgramRun> run = timed_.reference->run_split({inputs, inputs}, timed);
    if (!run || run->outputs.outcome == Outcome::kUnsupported)
      return reference_outputs_of_one_process(inputs);
    if (run->outputs.outcome != Outcome::kCorrect) return {};
    reference_us_.push_back(run->kernel_us);
    return std::move(run->outputs.outputs);
  }

  // A reference may use what cannot be moved into another process; it is trusted.
  std::vector<tasks::Array> reference_outputs_of_one_process(const std::vector<tasks::Array>& inputs) {
    ProgramRunOptions exclusive;
    exclusive.exclusive = exclusive.waits_at_gate = true;
    ProgramRun run = timed_.reference->run(inputs, exclusive);
    if (!run.all_written()) return {};
    reference_us_.push_back(device_us(run.run));
    return std::move(run.trials[0].outputs);
  }

  std::vector<tasks::Array> run_answer(const SplitInputs& inputs) {
    std::optional<SplitProgramRun> run = proof_.recorded ? answer_.replay(*proof_.recorded, inputs, options_)
                                                         : answer_.run_split(inputs, options_);
    // A busy machine, or a reference that slows it down: no time, and no guilt.
    if (run && run->outputs.outcome == Outcome::kTimeout) {
      ran_out_of_time_ = true;
      return {};
    }
    if (!run || run->outputs.outcome != Outcome::kCorrect) {
      hack_ = fmt::format("right in the trials, but {} while it was timed",
                          name_of(run ? run->outputs.outcome : Outcome::kWrongOutput));
      return {};
    }
    // Every round is a proof of its own.
    if (!proof_.recorded) hack_ = find_excess_downloads(timed_.task, inputs.real, options_, *run);
    answer_us_.push_back(run->kernel_us);
    kernels_ = run->device.kernels;
    return std::move(run->outputs.outputs);
  }

  void check(const std::vector<tasks::Array>& got, const std::vector<tasks::Array>& wanted) {
    if (!hack_.empty() || ran_out_of_time_ || wanted.empty()) return;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!all_right(got[i], wanted[i], timed_.tolerances[i]))
        hack_ = fmt::format("right in the trials, but {} is wrong while it was timed",
                            timed_.task.outputs[i].name);
    }
  }

  const TimedTask& timed_;
  const ProgramRunner& answer_;
  const DeviceProof& proof_;
  const ProgramRunOptions& options_;
  base::RandomStream stream_;
  const std::optional<execute::GpuClocks> clocks_;
  std::deque<std::vector<tasks::Array>> drawn_;  // inputs of the next rounds, made by the task's script
  std::vector<double> answer_us_;
  std::vector<double> reference_us_;
  std::vector<execute::KernelLaunches> kernels_;  // of the answer's last run
  std::string hack_;
  bool ran_out_of_time_ = false;
};

}  // namespace

void repeat_rounds(int wanted, const std::function<RoundEnd(int)>& measure) {
  const int most = wanted + wanted / 2 + 1;
  for (int round = 0, counted = 0; round < most && counted < wanted; ++round) {
    const RoundEnd end = measure(round);
    if (end == RoundEnd::kIsLast) return;
    counted += end == RoundEnd::kCounts ? 1 : 0;
  }
}

double floor_us(const tasks::Task& task, const base::GpuInfo& gpu) {
  return floor_us(tasks::data_bytes(task), gpu);
}

double floor_us(uint64_t bytes, const base::GpuInfo& gpu) {
  if (gpu.memory_bandwidth == 0) return 0;
  return static_cast<double>(bytes) / static_cast<double>(gpu.memory_bandwidth) * 1e6;
}

double operations_of(const tasks::Task& task) {
  if (task.oracle.native != "matmul" || task.inputs.size() < 2 || task.outputs.size() != 1) return 0;
  const tasks::TaskInput &a = task.inputs[0], &b = task.inputs[1];
  const tasks::Shape& c = task.outputs[0].shape;
  const size_t rank = c.size();
  if (rank < 2 || a.shape.size() != rank || b.shape.size() != rank || !is_dense(a) || !is_dense(b)) return 0;
  uint64_t matrices = 1;
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (a.shape[i] != c[i] || b.shape[i] != c[i]) return 0;
    matrices *= static_cast<uint64_t>(c[i]);
  }
  const auto products = static_cast<double>(elements_of(c));
  if (products == 0) return 0;
  // However the operands lie, one has m k elements and the other k n.
  const double inner =
      std::sqrt(static_cast<double>(elements_of(a.shape)) * static_cast<double>(elements_of(b.shape)) /
                (products * static_cast<double>(matrices)));
  return inner == std::floor(inner) ? 2 * products * inner : 0;
}

double operations_floor_us(const tasks::Task& task, const base::GpuInfo& gpu) {
  const double operations = operations_of(task);
  if (operations == 0) return 0;
  const bool is_double = task.inputs[0].type == tasks::NumberType::kFloat64;
  const double of_second =
      operations_of_clock(gpu, is_double) * gpu.multiprocessors * static_cast<double>(gpu.clock_hertz);
  return of_second > 0 ? operations / of_second * 1e6 : 0;
}

MedianInterval median_interval(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const size_t n = sorted.size();
  // The number of values below the median is binomial(n, 1/2): cut at most 2.5 % of it from each end.
  double share = std::pow(0.5, static_cast<double>(n)), cut = share;
  size_t below = 0;
  while (cut + share * static_cast<double>(n - below) / static_cast<double>(below + 1) <= 0.025) {
    share *= static_cast<double>(n - below) / static_cast<double>(below + 1);
    cut += share;
    ++below;
  }
  const size_t first = cut <= 0.025 ? below : 0;
  return {base::quantile(sorted, 0.5), sorted[first], sorted[n - 1 - first]};
}

TimingOutcome time_answer(const TimedTask& timed, const ProgramRunner& answer, const DeviceProof& proof,
                          const ProgramRunOptions& options) {
  return Rounds(timed, answer, proof, options).measure();
}

}  // namespace cuset::judge
