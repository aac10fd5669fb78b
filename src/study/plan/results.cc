#include "study/plan/results.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"
#include "base/machine/worker_pool.h"
#include "base/stats/pass_at_k.h"
#include "base/stats/random.h"
#include "study/plan/comparison.h"
#include "study/plan/job_record.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestK = 3;

// One row of the main table before anything is estimated.
struct MethodRates {
  MethodResult result;
  std::vector<SetVerdicts> of_seed;
  std::array<RatesBySeed, kStudyMetrics> rates;
  std::array<std::vector<double>, kStudyMetrics> draws;
  std::vector<std::vector<double>> draws_of_part;
};

bool is_same_method(const MethodResult& result, const AnswerSetPlace& set) {
  return result.base == set.base && result.data == set.data && result.method == set.method;
}

bool is_same_run(const AnswerSetPlace& a, const AnswerSetPlace& b) {
  return a.base == b.base && a.data == b.data && a.method == b.method && a.seed == b.seed &&
         a.decoding == b.decoding;
}

// The value of one task: pass@1 is the share of successes; where a task has fewer answers than k, all count.
double pass_of(uint64_t successes, uint64_t answers, uint64_t k) {
  return base::pass_at_k({answers, successes}, std::min(k, answers));
}

class DecodingTable {
 public:
  DecodingTable(const StudyPlan& plan, const StudyJobs& jobs, const fs::path& output,
                const std::string& decoding, const ResultOptions& options)
      : plan_(plan), jobs_(jobs), output_(output), options_(options) {
    result_.name = decoding;
    const auto samples = number_setting_of(generation_settings_of(plan, decoding), "samples");
    result_.samples = static_cast<uint64_t>(std::max(1.0, samples.value_or(1)));
    result_.k = std::min(kLargestK, result_.samples);
  }

  DecodingResult compute(std::vector<std::string>& missing) {
    read_sets(missing);
    find_shared_tasks();
    if (tasks_.empty()) return result_;
    for (MethodRates& method : methods_) fill_rates(method);
    draw();
    for (MethodRates& method : methods_) estimate(method);
    compare();
    for (MethodRates& method : methods_) result_.methods.push_back(std::move(method.result));
    return result_;
  }

 private:
  void read_sets(std::vector<std::string>& missing) {
    for (size_t i = 0; i < jobs_.sets.size(); ++i) {
      const AnswerSetPlace& set = jobs_.sets[i];
      const bool is_first =
          std::none_of(jobs_.sets.begin(), jobs_.sets.begin() + static_cast<ptrdiff_t>(i),
                       [&](const AnswerSetPlace& other) { return is_same_run(other, set); });
      if (set.decoding != result_.name || !is_first) continue;
      if (const std::optional<SetVerdicts> verdicts = read_run(set)) {
        add_run(set, *verdicts);
      } else {
        missing.push_back(jobs_.jobs[set.verification].name);
      }
    }
  }

  // The verdicts on all parts of the tasks; nothing where one is not done.
  std::optional<SetVerdicts> read_run(const AnswerSetPlace& run) const {
    SetVerdicts verdicts;
    for (const AnswerSetPlace& set : jobs_.sets) {
      if (!is_same_run(set, run)) continue;
      const StudyJob& job = jobs_.jobs[set.verification];
      if (state_of(job, output_) != JobState::kDone) return std::nullopt;
      add_verdicts(output_ / job.results[0], set.tasks + "/", verdicts);
    }
    return verdicts;
  }

  void add_run(const AnswerSetPlace& run, const SetVerdicts& verdicts) {
    auto method = std::find_if(methods_.begin(), methods_.end(), [&](const MethodRates& candidate) {
      return is_same_method(candidate.result, run);
    });
    if (method == methods_.end()) {
      method = methods_.emplace(methods_.end());
      method->result.base = run.base;
      method->result.data = run.data;
      method->result.method = run.method;
    }
    method->result.seeds.push_back(run.seed);
    method->of_seed.push_back(verdicts);
    if (run.method == kNoMethod) return;
    const JobCost cost = cost_of(jobs_.jobs[run.training], output_);
    method->result.train_seconds += cost.seconds;
    method->result.side_by_side = std::max(method->result.side_by_side, cost.side_by_side);
  }

  // Tasks that every set has a verdict on, so that all rates are about the same tasks.
  void find_shared_tasks() {
    std::map<std::string, size_t> counts;
    size_t sets = 0;
    for (const MethodRates& method : methods_) {
      for (const SetVerdicts& verdicts : method.of_seed) {
        ++sets;
        for (const auto& [task, answers] : verdicts.tasks) ++counts[task];
      }
    }
    part_of_task_.clear();
    result_.tasks_of_part.assign(plan_.tasks.size(), 0);
    for (const auto& [task, count] : counts) {
      if (count != sets) continue;
      tasks_.push_back(task);
      part_of_task_.push_back(part_named(task.substr(0, task.find('/'))));
      ++result_.tasks_of_part[part_of_task_.back()];
    }
    result_.tasks = tasks_.size();
  }

  size_t part_named(const std::string& name) const {
    for (size_t part = 0; part < plan_.tasks.size(); ++part)
      if (plan_.tasks[part].name == name) return part;
    CUSET_CHECK(false, "no part {}", name);
  }

  void fill_rates(MethodRates& method) const {
    for (RatesBySeed& rates : method.rates)
      rates.assign(method.of_seed.size(), std::vector<double>(tasks_.size()));
    for (size_t seed = 0; seed < method.of_seed.size(); ++seed) {
      for (size_t task = 0; task < tasks_.size(); ++task) {
        const TaskAnswers& counts = method.of_seed[seed].tasks.at(tasks_[task]);
        method.rates[kCompilePass1][seed][task] = pass_of(counts.compiled, counts.answers, 1);
        method.rates[kCorrectPass1][seed][task] = pass_of(counts.correct, counts.answers, 1);
        method.rates[kCompilePassK][seed][task] = pass_of(counts.compiled, counts.answers, result_.k);
        method.rates[kCorrectPassK][seed][task] = pass_of(counts.correct, counts.answers, result_.k);
      }
    }
  }

  RatesBySeed rates_of_part(const MethodRates& method, size_t part) const {
    RatesBySeed rates;
    for (const std::vector<double>& seed : method.rates[kCorrectPass1]) {
      std::vector<double>& chosen = rates.emplace_back();
      for (size_t task = 0; task < tasks_.size(); ++task)
        if (part_of_task_[task] == part) chosen.push_back(seed[task]);
    }
    return rates;
  }

  // Draws depend on the decoding and part only: the same for all methods, and for a study that grows.
  TaskSeedBootstrap bootstrap_of(size_t tasks, const std::string& part) const {
    size_t most_seeds = 1;
    for (const MethodRates& method : methods_) most_seeds = std::max(most_seeds, method.of_seed.size());
    return TaskSeedBootstrap({tasks, most_seeds, options_.draws},
                             base::RandomStream(0, "study").child(result_.name).child(part));
  }

  void draw() {
    const TaskSeedBootstrap all = bootstrap_of(tasks_.size(), "all");
    base::WorkerPool().run(methods_.size() * kStudyMetrics, [&](size_t i) {
      MethodRates& method = methods_[i / kStudyMetrics];
      method.draws[i % kStudyMetrics] = all.means(method.rates[i % kStudyMetrics]);
    });
    for (MethodRates& method : methods_) method.draws_of_part.resize(plan_.tasks.size());
    for (size_t part = 0; part < plan_.tasks.size(); ++part) {
      if (result_.tasks_of_part[part] == 0) continue;
      const TaskSeedBootstrap draws = bootstrap_of(result_.tasks_of_part[part], plan_.tasks[part].name);
      base::WorkerPool().run(methods_.size(), [&](size_t i) {
        methods_[i].draws_of_part[part] = draws.means(rates_of_part(methods_[i], part));
      });
    }
  }

  void estimate(MethodRates& method) const {
    MethodResult& result = method.result;
    for (size_t metric = 0; metric < kStudyMetrics; ++metric)
      result.rates[metric] = {mean_rate(method.rates[metric]), interval_of_draws(method.draws[metric])};
    for (size_t part = 0; part < plan_.tasks.size(); ++part) {
      result.correct_of_part.emplace_back();
      if (method.draws_of_part[part].empty()) continue;
      result.correct_of_part.back() = {mean_rate(rates_of_part(method, part)),
                                       interval_of_draws(method.draws_of_part[part])};
    }
    for (const std::vector<double>& seed : method.rates[kCorrectPass1])
      result.correct_of_seed.push_back(mean_rate({seed}));
    uint64_t answers = 0;
    for (const SetVerdicts& verdicts : method.of_seed) {
      for (const auto& [outcome, count] : verdicts.outcomes) result.outcomes[outcome] += count;
      result.mean_tokens += verdicts.tokens;
      answers += verdicts.answers;
    }
    result.mean_tokens /= static_cast<double>(std::max<uint64_t>(1, answers));
    result.train_seconds /= static_cast<double>(result.seeds.size());
  }

  // A base has no data, and one run for all seeds.
  const MethodRates* find(const std::string& base, const std::string& method, const std::string& data) const {
    for (const MethodRates& candidate : methods_) {
      const MethodResult& result = candidate.result;
      if (result.base == base && result.method == method && (method == kNoMethod || result.data == data))
        return &candidate;
    }
    return nullptr;
  }

  void compare() {
    for (const ComparedPair& pair : plan_.compare) {
      for (const MethodRates& left : methods_) {
        const MethodResult& result = left.result;
        if (result.method != pair.left) continue;
        const MethodRates* right = find(result.base, pair.right, result.data);
        if (right != nullptr) add_pair(left, *right, about_methods(result, right->result));
      }
    }
    for (const ComparedPair& pair : plan_.compare_data) {
      for (const MethodRates& left : methods_) {
        const MethodResult& result = left.result;
        if (result.method == kNoMethod || result.data != pair.left) continue;
        const MethodRates* right = find(result.base, result.method, pair.right);
        if (right != nullptr) add_pair(left, *right, about_data(result, right->result));
      }
    }
  }

  static PairResult about_methods(const MethodResult& left, const MethodResult& right) {
    PairResult pair;
    pair.base = left.base;
    pair.data = left.data.empty() ? right.data : left.data;
    pair.left = left.method;
    pair.right = right.method;
    return pair;
  }

  static PairResult about_data(const MethodResult& left, const MethodResult& right) {
    PairResult pair;
    pair.base = left.base;
    pair.left = fmt::format("{} on {}", left.method, left.data);
    pair.right = fmt::format("{} on {}", right.method, right.data);
    return pair;
  }

  void add_pair(const MethodRates& left, const MethodRates& right, PairResult pair) {
    pair.difference = {
        left.result.rates[kCorrectPass1].value - right.result.rates[kCorrectPass1].value,
        interval_of_draws(differences_of_draws(left.draws[kCorrectPass1], right.draws[kCorrectPass1]))};
    for (size_t part = 0; part < plan_.tasks.size(); ++part) {
      pair.difference_of_part.emplace_back();
      if (left.draws_of_part[part].empty()) continue;
      pair.difference_of_part.back() = {
          left.result.correct_of_part[part].value - right.result.correct_of_part[part].value,
          interval_of_draws(differences_of_draws(left.draws_of_part[part], right.draws_of_part[part]))};
    }
    const std::vector<double> differences =
        differences_of_draws(task_means(left.rates[kCorrectPass1]), task_means(right.rates[kCorrectPass1]));
    pair.p = sign_flip_p_value(differences, base::RandomStream(0, "study pairs").child(result_.name));
    result_.pairs.push_back(std::move(pair));
  }

  const StudyPlan& plan_;
  const StudyJobs& jobs_;
  const fs::path& output_;
  const ResultOptions& options_;
  DecodingResult result_;
  std::vector<MethodRates> methods_;
  std::vector<std::string> tasks_;  // "part/id"
  std::vector<size_t> part_of_task_;
};

void correct_p_values(StudyResults& results) {
  std::vector<double> p_values;
  for (const DecodingResult& decoding : results.decodings)
    for (const PairResult& pair : decoding.pairs) p_values.push_back(pair.p);
  const std::vector<double> adjusted = holm_adjusted(p_values);
  size_t next = 0;
  for (DecodingResult& decoding : results.decodings)
    for (PairResult& pair : decoding.pairs) pair.p_holm = adjusted[next++];
}

void add_origin(const StudyJobs& jobs, const fs::path& output, StudyResults& results) {
  std::map<std::string, std::set<std::string>> machines;
  for (const StudyJob& job : jobs.jobs) {
    const JobCost cost = cost_of(job, output);
    if (cost.finished.empty()) continue;
    results.finished = std::max(results.finished, cost.finished);
    if (job.kind == "train" || job.kind == "generate" || job.kind == "verify")
      machines[cost.machine].insert(job.kind);
  }
  for (const auto& [machine, kinds] : machines)
    results.machines.push_back(fmt::format("{}: {}", fmt::join(kinds, ", "), machine));
}

base::Json json_of_estimate(const base::Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.interval.low}, {"high", estimate.interval.high}};
}

base::Json json_by_part(const std::vector<std::string>& parts, const std::vector<base::Estimate>& estimates) {
  base::Json object = base::Json::object();
  for (size_t i = 0; i < estimates.size(); ++i) object[parts[i]] = json_of_estimate(estimates[i]);
  return object;
}

base::Json json_of_method(const MethodResult& method, const StudyResults& results) {
  return {{"base", method.base},
          {"data", method.data},
          {"method", method.method},
          {"seeds", method.seeds},
          {"compile_pass_1", json_of_estimate(method.rates[kCompilePass1])},
          {"correct_pass_1", json_of_estimate(method.rates[kCorrectPass1])},
          {"compile_pass_k", json_of_estimate(method.rates[kCompilePassK])},
          {"correct_pass_k", json_of_estimate(method.rates[kCorrectPassK])},
          {"correct_of_part", json_by_part(results.parts, method.correct_of_part)},
          {"correct_of_seed", method.correct_of_seed},
          {"outcomes", method.outcomes},
          {"mean_tokens", method.mean_tokens},
          {"train_seconds", method.train_seconds},
          {"trainings_side_by_side", method.side_by_side}};
}

base::Json json_of_pair(const PairResult& pair, const StudyResults& results) {
  return {{"base", pair.base},
          {"data", pair.data},
          {"left", pair.left},
          {"right", pair.right},
          {"difference", json_of_estimate(pair.difference)},
          {"difference_of_part", json_by_part(results.parts, pair.difference_of_part)},
          {"p", pair.p},
          {"p_holm", pair.p_holm}};
}

}  // namespace

void add_verdicts(const fs::path& file, const std::string& prefix, SetVerdicts& set) {
  base::JsonlReader reader(file);
  while (const std::optional<base::Json> record = reader.next()) {
    const std::string place = reader.place();
    const base::JsonCursor verdict(*record, std::string_view(place));
    const std::string& outcome = verdict.at("word").string();
    ++set.outcomes[outcome];
    ++set.answers;
    set.tokens += verdict.get("tokens").number_or(0);
    if (outcome == "faulty_task") continue;
    TaskAnswers& task = set.tasks[prefix + verdict.at("task").string()];
    ++task.answers;
    if (verdict.at("reward").at("compiled").number_or(0) > 0) ++task.compiled;
    if (outcome == "correct") ++task.correct;
  }
}

StudyResults compute_results(const StudyPlan& plan, const StudyJobs& jobs, const fs::path& output,
                             const ResultOptions& options) {
  StudyResults results;
  for (const PlannedFile& tasks : plan.tasks) results.parts.push_back(tasks.name);
  for (const PlannedSettings& decoding : plan.decodings) {
    results.decodings.push_back(
        DecodingTable(plan, jobs, output, decoding.name, options).compute(results.missing));
  }
  correct_p_values(results);
  add_origin(jobs, output, results);
  return results;
}

base::Json json_of(const StudyResults& results) {
  base::Json decodings = base::Json::array();
  for (const DecodingResult& decoding : results.decodings) {
    base::Json methods = base::Json::array();
    for (const MethodResult& method : decoding.methods) methods.push_back(json_of_method(method, results));
    base::Json pairs = base::Json::array();
    for (const PairResult& pair : decoding.pairs) pairs.push_back(json_of_pair(pair, results));
    base::Json tasks_of_part = base::Json::object();
    for (size_t i = 0; i < decoding.tasks_of_part.size(); ++i)
      tasks_of_part[results.parts[i]] = decoding.tasks_of_part[i];
    decodings.push_back({{"name", decoding.name},
                         {"samples", decoding.samples},
                         {"k", decoding.k},
                         {"tasks", decoding.tasks},
                         {"tasks_of_part", std::move(tasks_of_part)},
                         {"methods", std::move(methods)},
                         {"pairs", std::move(pairs)}});
  }
  return {{"decodings", std::move(decodings)},
          {"missing", results.missing},
          {"machines", results.machines},
          {"finished", results.finished}};
}

}  // namespace cuset::study
