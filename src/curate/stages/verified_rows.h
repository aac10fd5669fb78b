// The verdict of the judge on every row that has a task. Killed at any moment and called again, it resumes: verdicts are
// kept in a results folder as `cuset verify` writes it, under the task's id and a number made from the answer's text.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "curate/sources/row.h"
#include "curate/sources/sources.h"
#include "judge/results/verification.h"

namespace cuset::curate {

// Makes the judge whose verdicts are kept in `folder`. It must live as long as the curation.
using JudgeMaker = std::function<judge::Judge&(const std::filesystem::path& folder)>;

struct VerifiedRows {
  std::map<uint32_t, judge::Verdict> verdicts;  // by row
  bool is_complete = false;                     // false: an interrupt ended it early
};

// `rows` are numbers of rows that have a task. Equal programs for one task are judged once.
VerifiedRows verify_rows(std::span<const uint32_t> rows, const std::function<Row(uint32_t)>& row_of,
                         const TaskCatalog& catalog, const std::filesystem::path& folder, judge::Judge& judge,
                         int workers);

}  // namespace cuset::curate
