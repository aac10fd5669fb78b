// What a job of a study leaves beside its results, and what follows for the next run: done, to be continued,
// or to be made again.
#pragma once

#include <filesystem>
#include <string>

#include "base/json/json.h"
#include "study/plan/jobs.h"

namespace cuset::study {

enum class JobState {
  kOpen,   // nothing is there
  kBegun,  // interrupted or failed, made with the same settings
  kStale,  // made with other settings, or damaged: it is removed and made again
  kDone,
};

struct JobCost {
  double seconds = 0;       // of all attempts
  size_t side_by_side = 1;  // jobs that ran at the same time
  std::string machine;
  std::string finished;  // time in UTC, "2026-11-17T21:00:00Z"; empty where it is not done
};

JobState state_of(const StudyJob& job, const std::filesystem::path& output);

// What the record says; of a job without a readable record nothing.
JobCost cost_of(const StudyJob& job, const std::filesystem::path& output);

// Before the command starts, and after it succeeded.
void write_begun_record(const StudyJob& job, const std::filesystem::path& output, const JobCost& cost);
void write_done_record(const StudyJob& job, const std::filesystem::path& output, const JobCost& cost);

// Removes what a job has left behind. Throws Error where that fails.
void remove_leftovers(const StudyJob& job, const std::filesystem::path& output);

}  // namespace cuset::study
