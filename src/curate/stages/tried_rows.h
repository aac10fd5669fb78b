// Runs the programs of rows without a task (trial/kernel_trial.h). Killed at any moment and called again, it resumes:
// what is known of a program is kept under a hash of its text, one line each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>

#include "curate/sources/row.h"
#include "curate/trial/kernel_trial.h"

namespace cuset::curate {

struct TriedRows {
  std::map<uint32_t, TrialResult> results;  // by row
  bool is_complete = false;                 // false: an interrupt ended it early
};

struct TrialRun {
  std::filesystem::path file;  // of what is known
  int workers = 0;             // 0: one per core
  TrialOptions options;
};

// Equal programs are tried once. Throws Error where the machine fails.
TriedRows try_rows(std::span<const uint32_t> rows, const std::function<Row(uint32_t)>& row_of,
                   execute::Executor& executor, const TrialRun& run);

}  // namespace cuset::curate
