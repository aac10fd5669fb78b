// The metrics of a study, computed from the verdicts of all sets of answers that are done.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/stats/intervals.h"
#include "study/plan/jobs.h"
#include "study/plan/plan.h"

namespace cuset::study {

// Answers to one task.
struct TaskAnswers {
  uint64_t answers = 0;
  uint64_t compiled = 0;
  uint64_t correct = 0;
};

// The verdicts of one set of answers.
struct SetVerdicts {
  std::map<std::string, TaskAnswers>
      tasks;  // tasks whose answers all have the outcome faulty_task are absent
  std::map<std::string, size_t> outcomes;
  uint64_t answers = 0;
  double tokens = 0;  // of all answers together
};

// Adds the verdicts of a file; `prefix` opens the names of its tasks. `unsupported` counts as wrong,
// `faulty_task` is left out. Throws Error with the place of a malformed record.
void add_verdicts(const std::filesystem::path& file, const std::string& prefix, SetVerdicts& set);

// What is measured of each task.
enum StudyMetric { kCompilePass1, kCorrectPass1, kCompilePassK, kCorrectPassK, kStudyMetrics };

// A method on data, or a base without an adapter: one row of the main table. Rates are in [0, 1].
struct MethodResult {
  std::string base;
  std::string data;    // empty for a base
  std::string method;  // kNoMethod for a base
  std::vector<int64_t> seeds;
  std::array<base::Estimate, kStudyMetrics> rates;
  std::vector<base::Estimate> correct_of_part;  // pass@1, in the order of the plan's tasks
  std::vector<double> correct_of_seed;          // pass@1
  std::map<std::string, size_t> outcomes;
  double mean_tokens = 0;    // of an answer
  double train_seconds = 0;  // mean of a seed; 0 for a base
  size_t side_by_side = 1;   // trainings that shared the machine
};

// correct pass@1 of `left` less that of `right`, on the same base, tasks and seeds: two methods on the same data, or "sft on
// curated" and "sft on noisy".
struct PairResult {
  std::string base;
  std::string data;  // empty: the sides name theirs
  std::string left;
  std::string right;
  base::Estimate difference;
  std::vector<base::Estimate> difference_of_part;
  double p = 1;       // sign-flip permutation test over tasks
  double p_holm = 1;  // corrected for all pairs of the study
};

struct DecodingResult {
  std::string name;
  uint64_t samples = 1;
  uint64_t k = 1;  // of pass@k
  size_t tasks = 0;
  std::vector<size_t> tasks_of_part;
  std::vector<MethodResult> methods;
  std::vector<PairResult> pairs;
};

struct StudyResults {
  std::vector<std::string> parts;  // names of the parts of the tasks
  std::vector<DecodingResult> decodings;
  std::vector<std::string> missing;   // cells without all of their verdicts
  std::vector<std::string> machines;  // "train: NVIDIA H200", ...
  std::string finished;               // when the last job was done
};

struct ResultOptions {
  size_t draws = 10'000;
};

StudyResults compute_results(const StudyPlan& plan, const StudyJobs& jobs,
                             const std::filesystem::path& output, const ResultOptions& options = {});

base::Json json_of(const StudyResults& results);

}  // namespace cuset::study
