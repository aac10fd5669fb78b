// Speed of verification with everything included: the reference programs of a set of tasks are judged as
// answers, from a cold cache of builds.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "execute/executor.h"
#include "judge/verdict/verdict.h"
#include "tasks/task.h"

namespace cuset::study {

struct VerifyBenchOptions {
  std::vector<tasks::Task> tasks;
  std::string executor = "auto";
  int trials = 5;
  int workers = 0;   // answers judged at the same time; 0: one per core
  size_t limit = 0;  // tasks; 0: all
  sandbox::Confinement confinement = sandbox::Confinement::kFull;
};

struct VerifyBenchResult {
  struct Candidate {
    std::string task;
    judge::Outcome outcome = judge::Outcome::kCorrect;
    std::string explanation;
    double seconds = 0;
    double build_seconds = 0;
    std::map<std::string, double> step_seconds;
  };

  std::string machine;
  int trials = 0;
  int workers = 0;
  size_t passed_over = 0;  // tasks without a reference program, or beyond the limit
  double wall_seconds = 0;
  std::vector<Candidate> candidates;

  double median_seconds() const;  // of one candidate, from its text to its verdict
  double mean_seconds() const;
  double per_minute() const;  // by all workers together
};

// Throws Error where no task has a reference program, or the executor cannot work. An interrupt ends it
// early.
VerifyBenchResult measure_verification(const VerifyBenchOptions& options);

std::string render_verification_speed(const VerifyBenchResult& result);
base::Json to_json(const VerifyBenchResult& result);

}  // namespace cuset::study
