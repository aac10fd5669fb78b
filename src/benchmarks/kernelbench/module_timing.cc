#include "benchmarks/kernelbench/module_timing.h"
#include "base/json/json_cursor.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/files/file.h"
#include "execute/build/companion_sources.h"
#include "judge/judge_settings.h"
#include "judge/rules.h"
#include "judge/timing.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtensions = "extensions";
constexpr double kAllowedShare = 0.5;  // by which the clock may exceed the events
constexpr double kAllowedUs = 300;     // and this beside it, for the calls around them

std::vector<double> numbers_at(const base::Json& result, const char* key) {
  std::vector<double> numbers;
  for (const base::Json& value : base::json_list(result, key)) {
    if (value.is_number()) numbers.push_back(1000 * value.get<double>());  // of milliseconds
  }
  return numbers;
}

std::vector<ModuleSample> samples_of(const base::Json& result, size_t trials) {
  std::vector<ModuleSample> samples;
  for (const base::Json& sample : base::json_list(result, "samples")) {
    const base::Json& trial_number = base::json_member(sample, "trial");
    if (!trial_number.is_number_unsigned()) continue;
    const size_t trial = trial_number.get<size_t>();
    if (trial < trials) samples.push_back({fmt::format("sample{}", samples.size()), trial, sample});
  }
  return samples;
}

double own_kernels_us(const execute::Run& run, const std::vector<std::string>& own) {
  double ms = 0;
  for (const execute::KernelLaunches& kernel : run.kernels) {
    if (std::find(own.begin(), own.end(), judge::unqualified_name(kernel.name)) != own.end())
      ms += kernel.total_ms;
  }
  return 1000 * ms;
}

}  // namespace

ModuleTimer::ModuleTimer(const ModuleJudgeSettings& settings, const ModuleExpected& expected,
                         const ModuleProcess& process)
    : settings_(settings), expected_(expected), process_(process) {}

ModuleTimes ModuleTimer::measure(const std::string& model, const std::string& code,
                                 const fs::path& folder) const {
  ModuleTimes times;
  execute::keep_only(folder, {kExtensions});
  base::Json inputs = expected_.lay_inputs(folder, expected_.timing_trials());
  if (model == "ModelNew") base::write_file_atomic(folder / "answer.py", code);
  const base::Json request = {{"device", settings_.gpu ? "cuda" : "cpu"}, {"model", model},
                              {"weight_seed", expected_.weight_seed()},   {"trials", std::move(inputs)},
                              {"warm_ups", settings_.warm_ups},           {"runs", settings_.timed_runs}};
  ModuleRun run = run_module(process_, "time", folder, request);
  if (run.run.outcome == execute::Run::Outcome::kInterrupted) throw judge::JudgeInterrupted();
  times.event_us = numbers_at(run.result, "event_ms");
  times.wall_us = numbers_at(run.result, "wall_ms");
  times.samples = samples_of(run.result, expected_.timing_trials().size());
  times.run = std::move(run.run);
  const auto runs = static_cast<size_t>(settings_.timed_runs);
  if (times.event_us.size() != runs || times.wall_us.size() != runs || times.samples.empty())
    times.fault = fmt::format("it could not be timed: {}",
                              times.run.explanation.empty() ? "it left no times" : times.run.explanation);
  return times;
}

std::string find_dishonest_timing(const ModuleTimes& times, const std::vector<std::string>& own,
                                  const ModuleJudgeSettings& settings, bool needs_kernel) {
  const double event = judge::median_interval(times.event_us).median,
               wall = judge::median_interval(times.wall_us).median;
  if (!(event > 0)) return "its events say that no time passed";
  if (wall > event * (1 + kAllowedShare) + kAllowedUs)
    return fmt::format("its calls took {:.1f} us by the clock and {:.1f} us by the device's events", wall,
                       event);
  if (!needs_kernel) return "";
  if (judge::own_launches(times.run, own) < static_cast<uint64_t>(settings.timed_runs))
    return "it was called more often than its kernels were launched";
  // All timed calls together cannot be shorter than what its kernels took in as many of all calls.
  const double all = std::accumulate(times.event_us.begin(), times.event_us.end(), 0.0);
  const double kernels =
      own_kernels_us(times.run, own) * settings.timed_runs / (settings.timed_runs + settings.warm_ups);
  if (all < 0.8 * kernels)
    return fmt::format("its kernels took {:.0f} us, its events say {:.0f} us", kernels, all);
  return "";
}

judge::Timing timing_of(const ModuleTimes& answer, const ModuleTimes& reference) {
  const judge::MedianInterval own = judge::median_interval(answer.event_us);
  judge::Timing timing;
  timing.median_us = own.median;
  timing.low_us = own.low;
  timing.high_us = own.high;
  timing.reference_us = reference.event_us.empty() ? 0 : judge::median_interval(reference.event_us).median;
  timing.speedup = own.median > 0 ? timing.reference_us / own.median : 0;
  timing.runs = answer.event_us.size();
  return timing;
}

}  // namespace cuset::benchmarks
