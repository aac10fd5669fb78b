#include "benchmarks/kernelbench/module_timing.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json_cursor.h"
#include "base/stats/random.h"
#include "base/stats/statistics.h"
#include "judge/verdict/judge_settings.h"
#include "judge/verdict/rules.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr int kKeptCalls = 3;
constexpr int kWarmMilliseconds =
    200;                        // an idle device needs about 100 to reach the clocks at which it works
constexpr int kSpareShare = 5;  // one more call for so many, for those in which the device was slowed down
constexpr double kUndelayed = 0.1;    // quantile of our clock's times that other programs hardly delay
constexpr double kClockSlackUs = 50;  // by which our clock may wander from call to call
constexpr double kOverheadSlack =
    0.5;                              // and by which share of what it adds to a call, from process to process
constexpr double kClockShare = 0.05;  // by which the device's clock may differ from ours
constexpr double kLingerShare = 0.1;  // by which the time between calls may exceed the reference's
constexpr double kLingerUs = 300;     // and this
constexpr double kLingerWork = 0.5;   // and this share of the reference's work
constexpr double kJoinedShare = 0.5;  // of the work, that a caller's stream has to wait for
constexpr double kReferenceRoom = 1.5;  // the reference's own outputs are a bit off as well
constexpr double kDeviations = 6;
constexpr size_t kProjections = 4;  // kernelbench_child.py has the digest

std::vector<TimedCall> make_plan(const ModuleJudgeSettings& settings, const std::string& task) {
  base::RandomStream stream(settings.seed, task + " timed calls");
  std::vector<TimedCall> plan(
      static_cast<size_t>(settings.warm_ups + settings.timed_runs + settings.timed_runs / kSpareShare));
  for (TimedCall& call : plan) call = {stream.next_u32() >> 1, stream.next_u32() >> 1, false};
  for (int i = 0; i < kKeptCalls; ++i) {
    const auto counted = static_cast<uint32_t>(std::max(1, settings.timed_runs));
    plan[static_cast<size_t>(settings.warm_ups) + stream.next_u32() % counted].is_kept = true;
  }
  return plan;
}

tasks::Tolerance widened(const tasks::Tolerance& tolerance) {
  return {tolerance.absolute * kReferenceRoom, tolerance.relative * kReferenceRoom};
}

bool are_close(double got, double wanted, double bound) {
  if (std::isnan(wanted) || std::isnan(got)) return std::isnan(wanted) && std::isnan(got);
  return got == wanted || std::abs(got - wanted) <= bound;
}

template <typename Value>
std::vector<double> values_of(const ModuleTimes& times, Value value) {
  std::vector<double> values;
  for (const size_t call : times.counted) values.push_back(value(times.calls[call]));
  return values;
}

template <typename Value>
double median_of(const ModuleTimes& times, Value value) {
  const std::vector<double> values = values_of(times, value);
  return values.empty() ? 0 : base::quantile(values, 0.5);
}

// By our clock, of a call that nothing else on the machine delayed: all calls do the same work, and none can be shorter.
template <typename Value>
double undelayed(const ModuleTimes& times, Value value) {
  const std::vector<double> values = values_of(times, value);
  return values.empty() ? 0 : base::quantile(values, kUndelayed);
}

double overhead_of(const ModuleTimes& reference) {
  return std::max(0.0, undelayed(reference, [](const ModuleCall& call) {
                    const double span = call.span_us();
                    return span > 0 ? call.wall_us - span : 0;
                  }));
}

bool sets_cache_aside(const ModuleTimes& times) {
  const auto has_note = [](const ActivityList& activities) {
    return std::any_of(activities.begin(), activities.end(), [](const execute::DeviceActivity& activity) {
      return activity.kind == execute::DeviceActivity::Kind::kNote && activity.name == "persisting_l2";
    });
  };
  return std::any_of(times.between.begin(), times.between.end(), has_note) ||
         std::any_of(times.calls.begin(), times.calls.end(),
                     [&](const ModuleCall& call) { return has_note(call.inside); });
}

// The first lies before the first call, where the model is made.
std::vector<ActivityList> between_calls(const ModuleTimes& times) {
  return times.between.empty() ? times.between
                               : std::vector<ActivityList>(times.between.begin() + 1, times.between.end());
}

std::string find_missing_kernels(const ModuleTimes& answer, const ReferenceTimes& reference,
                                 const TimedModule& timed) {
  const char* const explanation = "it was called more often than its kernels were launched";
  if (!timed.settings.gpu || !timed.settings.gpu->has_timeline())
    return judge::own_launches(answer.run, timed.own) < answer.calls.size() + timed.other_calls ? explanation
                                                                                                : "";
  std::vector<ActivityList> calls;
  for (const ModuleCall& call : reference.eager.calls) calls.push_back(call.inside);
  const OwnKernels own(timed.own, calls);
  for (const size_t call : answer.counted) {
    if (shares_of(answer.calls[call].inside, own).own_launches == 0) return explanation;
  }
  return "";
}

// That with the median time.
const ModuleCall* usual_call(const ModuleTimes& times) {
  std::vector<size_t> counted = times.counted;
  if (counted.empty()) return nullptr;
  const auto middle = counted.begin() + static_cast<ptrdiff_t>(counted.size() / 2);
  std::nth_element(counted.begin(), middle, counted.end(),
                   [&](size_t a, size_t b) { return times.calls[a].span_us() < times.calls[b].span_us(); });
  return &times.calls[*middle];
}

// What is written may stay in the last cache; what is read was not there.
double least_honest_us(uint64_t bytes, const base::GpuInfo& gpu) {
  const uint64_t through_memory = bytes - std::min(bytes, gpu.cache_bytes);
  return std::max(0.9 * judge::floor_us(through_memory, gpu), 0.2 * judge::floor_us(bytes, gpu));
}

}  // namespace

ModuleTimer::ModuleTimer(const ModuleJudgeSettings& settings, const tasks::Task& task,
                         const ModuleExpected& expected)
    : settings_(settings), task_(task), expected_(expected), plan_(make_plan(settings, task.id)) {
  if (settings.gpu) clocks_ = execute::GpuClocks::find(settings.gpu->device.uuid);
}

ModuleTimes ModuleTimer::converse(ModuleServer& server, const Question& question, bool is_reference) const {
  ModuleTimes times;
  times.fault = "it could not be timed";
  ModuleSession& session = server.session();
  server.hold(execute::GpuQueue::Want::kExclusive);
  if (!session.warm_up(kWarmMilliseconds)) return times;
  const auto wanted = static_cast<size_t>(settings_.timed_runs);
  // The reference makes all calls, since it cannot be known how many an answer will need.
  for (size_t number = 0; number < plan_.size(); ++number) {
    if (!is_reference && times.counted.size() == wanted) break;
    ModuleCall call;
    if (!session.take_seed(plan_[number].seed, call)) return times;
    const bool was_slow = clocks_ && clocks_->is_slowed_down();
    if (!session.run(call)) return times;
    const bool is_slow = was_slow || (clocks_ && clocks_->is_slowed_down());
    if (!question(session, number, call)) return times;
    times.between.push_back(std::move(call.outside));
    if (number >= static_cast<size_t>(settings_.warm_ups) && !is_slow)
      times.counted.push_back(times.calls.size());
    times.calls.push_back(std::move(call));
  }
  server.let_go();
  times.fault = session.find_tampering();
  if (times.fault.empty() && times.counted.empty()) times.fault = "the device was slowed down all the time";
  return times;
}

ModuleTimes ModuleTimer::measure_model(const base::Json& request, const fs::path& folder,
                                       const Question& question) const {
  base::write_file_atomic(folder / "problem.py", task_.module);
  ModuleServer server(module_process(settings_, task_), "model", folder, request);
  ModuleTimes times;
  times.fault = "it could not be timed";
  if (server.session().load()) {
    server.hold(execute::GpuQueue::Want::kShared);
    if (server.session().construct(expected_.inputs())) times = converse(server, question, true);
  }
  add_ending(times, server.finish());
  return times;
}

ReferenceTimes ModuleTimer::measure_reference() const {
  const base::TemporaryFolder folder;
  ReferenceTimes times;
  base::Json request = module_request(settings_, task_);
  request["model"] = "Model";
  const Question question = [&](ModuleSession& session, size_t number, ModuleCall& call) {
    if (!session.compute_exactly() || !session.take_digest(plan_[number].secret, call)) return false;
    return !plan_[number].is_kept || session.keep(name_of_kept(number), call);
  };
  times.eager = measure_model(request, folder.path(), question);
  for (size_t number = 0; number < times.eager.calls.size(); ++number) {
    if (plan_[number].is_kept)
      times.kept.emplace(number, expected_of(times.eager.calls[number], number, folder.path()));
  }
  times.overhead_us = overhead_of(times.eager);
  if (!settings_.compiled_baseline) return times;
  request["compile"] = true;
  const base::TemporaryFolder another;
  const ModuleTimes compiled =
      measure_model(request, another.path(), [](ModuleSession&, size_t, ModuleCall&) { return true; });
  if (compiled.fault.empty())
    times.compiled_us = judge::median_interval(honest_times(compiled, times.overhead_us)).median;
  return times;
}

ModuleTimes ModuleTimer::measure_answer(ModuleServer& server) const {
  const Question question = [&](ModuleSession& session, size_t number, ModuleCall& call) {
    if (!session.take_digest(plan_[number].secret, call)) return false;
    return !plan_[number].is_kept || session.keep(name_of_kept(number), call);
  };
  return converse(server, question, false);
}

ModuleTrial ModuleTimer::expected_of(const ModuleCall& call, size_t number, const fs::path& folder) const {
  ModuleTrial trial;
  trial.number = number;
  const base::Json& outputs = base::json_list(call.kept, "outputs");
  const std::vector<ModuleOutput>& tried = expected_.trials()[0].outputs;
  for (size_t i = 0; i < std::min(outputs.size(), tried.size()); ++i) {
    std::optional<tasks::Array> array =
        read_tensor(folder, fmt::format("out_{}_{}.bin", name_of_kept(number), i), outputs[i]);
    if (!array) throw base::Error("the reference's output {} of call {} cannot be read", i, number);
    ModuleOutput output;
    output.name = tried[i].name;
    output.type = array->type;
    output.shape = array->shape;
    output.wanted = *std::move(array);
    output.tolerance = widened(tried[i].tolerance);
    trial.outputs.push_back(std::move(output));
  }
  return trial;
}

void add_ending(ModuleTimes& times, ModuleRun run) {
  if (run.run.outcome == execute::Run::Outcome::kInterrupted) throw judge::JudgeInterrupted();
  const std::string error = base::json_string(run.result, "error");
  if (!times.fault.empty() && !(error.empty() && run.run.explanation.empty()))
    times.fault += ": " + (error.empty() ? run.run.explanation : base::in_quotes(error, 300));
  times.run = std::move(run.run);
}

std::vector<double> honest_times(const ModuleTimes& times, double overhead_us) {
  const double least = undelayed(times, [](const ModuleCall& call) { return call.wall_us; }) -
                       (1 + kOverheadSlack) * overhead_us - kClockSlackUs;
  return values_of(times, [&](const ModuleCall& call) {
    const double span = call.span_us();
    return span > 0 ? std::max(span, least) : call.wall_us;
  });
}

std::string name_of_kept(size_t call) { return fmt::format("kept{}", call); }

bool digests_agree(const std::vector<double>& got, const std::vector<double>& wanted, uint64_t elements,
                   const tasks::Tolerance& tolerance) {
  if (got.size() != wanted.size() || wanted.size() < kProjections + 2) return false;
  const auto [absolute, relative] = widened(tolerance);
  const double magnitudes = wanted[kProjections], squares = wanted[kProjections + 1];
  // Random signs: errors of every element within its tolerance add up to the root of the sum of their squares.
  const double variance = static_cast<double>(elements) * absolute * absolute +
                          2 * absolute * relative * magnitudes + relative * relative * squares;
  const double bound = kDeviations * std::sqrt(variance) + 1e-9 * magnitudes;
  for (size_t i = 0; i < kProjections; ++i) {
    if (!are_close(got[i], wanted[i], std::isfinite(bound) ? bound : 0)) return false;
  }
  for (size_t i = kProjections + 2; i < wanted.size(); ++i) {
    if (!are_close(got[i], wanted[i], absolute + relative * std::abs(wanted[i]))) return false;
  }
  return true;
}

std::string find_wrong_digest(const ModuleTimes& answer, const ReferenceTimes& reference,
                              const ModuleExpected& expected) {
  const std::vector<ModuleOutput>& outputs = expected.trials()[0].outputs;
  for (size_t call = 0; call < answer.calls.size(); ++call) {
    const auto &got = answer.calls[call].digests, &wanted = reference.eager.calls.at(call).digests;
    bool agree = got.size() == outputs.size() && wanted.size() == outputs.size();
    for (size_t i = 0; agree && i < outputs.size(); ++i)
      agree = digests_agree(got[i], wanted[i], outputs[i].wanted.count(), outputs[i].tolerance);
    if (!agree) return fmt::format("its outputs are wrong while it is timed: call {}", call);
  }
  return "";
}

bool lingers_between_calls(const ModuleTimes& answer, const ReferenceTimes& reference) {
  const auto between = [](const ModuleCall& call) { return call.between_us; };
  const double usual = undelayed(reference.eager, between);
  const double work = median_of(reference.eager, [](const ModuleCall& call) { return call.span_us(); });
  return undelayed(answer, between) > usual * (1 + kLingerShare) + kLingerUs + kLingerWork * work;
}

std::string find_dishonest_timing(const ModuleTimes& answer, const ReferenceTimes& reference,
                                  const TimedModule& timed) {
  for (const size_t number : answer.counted) {
    const ModuleCall& call = answer.calls[number];
    if (call.span_us() > call.wall_us * (1 + kClockShare) + kClockSlackUs)
      return fmt::format("the device was busy for {:.1f} us in a call of {:.1f} us", call.span_us(),
                         call.wall_us);
  }
  if (sets_cache_aside(answer)) return "it sets cache aside that outlasts what empties the cache";
  const std::string between = find_work_between_calls(between_calls(answer), between_calls(reference.eager));
  if (!between.empty())
    return fmt::format("it works between its calls, where no clock runs: {}", base::in_quotes(between, 120));
  const double event = median_of(answer, [](const ModuleCall& call) { return call.event_us; }),
               span = median_of(answer, [](const ModuleCall& call) { return call.span_us(); });
  if (span > 0 && event < kJoinedShare * span - kClockSlackUs)
    return fmt::format("its caller's stream waits for {:.1f} us of the {:.1f} us that the device works",
                       event, span);
  if (timed.needs_kernel) {
    const std::string missing = find_missing_kernels(answer, reference, timed);
    if (!missing.empty()) return missing;
  }
  const base::GpuInfo gpu = timed.settings.gpu ? timed.settings.gpu->device : base::GpuInfo();
  const double median = judge::median_interval(honest_times(answer, reference.overhead_us)).median,
               least = least_honest_us(timed.data_bytes, gpu);
  if (median < least)
    return fmt::format("{:.1f} us is less than its data needs to pass through memory ({:.1f} us)", median,
                       least);
  return "";
}

judge::Timing timing_of(const ModuleTimes& answer, const ReferenceTimes& reference,
                        const TimedModule& timed) {
  const std::vector<double> times = honest_times(answer, reference.overhead_us);
  const judge::MedianInterval own = judge::median_interval(times);
  judge::Timing timing;
  timing.median_us = own.median;
  timing.low_us = own.low;
  timing.high_us = own.high;
  const std::vector<double> eager = honest_times(reference.eager, reference.overhead_us);
  timing.reference_us = eager.empty() ? 0 : judge::median_interval(eager).median;
  timing.speedup = own.median > 0 ? timing.reference_us / own.median : 0;
  timing.compiled_us = reference.compiled_us;
  const base::GpuInfo gpu = timed.settings.gpu ? timed.settings.gpu->device : base::GpuInfo();
  timing.data_bytes = timed.data_bytes;
  timing.least_us = judge::floor_us(timed.data_bytes, gpu);
  if (own.median > 0) timing.roofline_share = timing.least_us / own.median;
  timing.runs = times.size();
  if (const ModuleCall* usual = usual_call(answer))
    timing.kernels = execute::profile_of(execute::launches_in(usual->inside), gpu);
  return timing;
}

}  // namespace cuset::benchmarks
