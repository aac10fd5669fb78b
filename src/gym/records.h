// The records that the gym writes: tasks (docs/tasks.md), their references as answers (docs/verify.md), and
// prompt-response samples (docs/data.md); and the files of the first two.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/machine/worker_pool.h"
#include "gym/noise.h"
#include "gym/reasoning.h"
#include "gym/task_source.h"

namespace cuset::gym {

struct SampleOptions {
  std::vector<std::string> levels = {"1", "2", "3"};                  // of prompts, drawn alike
  std::vector<ReasoningLength> reasoning = {ReasoningLength::kNone};  // drawn alike
  double noise = 0;                                                   // share of samples
  NoiseMix noise_mix = {};                                            // of these
};

// {"none"}, {"short"}, ...; "mixed" is all four.
std::vector<ReasoningLength> reasoning_lengths(std::string_view name);

// One program for each solution, as {"task", "sample", "style", "text"}.
std::vector<base::Json> reference_answers(const GymTask& task, uint64_t seed);

// {"id", "family", "style", "level", "reasoning", "noise", "prompt", "response"}; the same for the same
// number.
base::Json sample_record(const TaskSource& source, uint64_t number, uint64_t seed,
                         const SampleOptions& options);

// The solution with the fewest kernels, and of these the one with the least text: what a beginner would write.
const GymSolution& plainest_solution(const GymDraft& draft);

// Gives the task its plainest solution as baseline, so that `verify --timing` tells a speedup.
void add_baseline(GymTask& task);

struct TaskFiles {
  std::filesystem::path tasks;
  std::filesystem::path answers;  // empty: none
  bool baselines = false;         // tasks have a baseline
};

struct TaskWriteResult {
  bool done = false;    // false: interrupted, no file is changed
  size_t repeated = 0;  // tasks whose signature occurs before: their family has no more
};

// Writes the tasks of a source, and their references. No two tasks compute the same, as far as their families reach. Throws Error where a file cannot be written.
TaskWriteResult write_task_files(const TaskSource& source, const base::OrderedWork& work,
                                 const TaskFiles& files);

}  // namespace cuset::gym
