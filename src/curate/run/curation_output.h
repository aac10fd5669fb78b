// What a curation leaves for its user: train.jsonl, validation.jsonl, rejected.jsonl, card.md, card.html, summary.json.
// Every row of the sources goes into exactly one of the first three.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "curate/plan/plan.h"
#include "curate/run/curation_run.h"
#include "curate/run/row_store.h"
#include "curate/run/stage_file.h"

namespace cuset::curate {

// Borrowed from the curation.
struct CurationOutput {
  const CurationPlan& plan;
  const RowStore& store;
  const std::map<uint32_t, Rejection>& rejected;
  const std::map<std::string, StageResult>& results;  // of the stages verify and select
  const std::vector<StageCount>& stages;
  std::filesystem::path stages_folder;  // with refused.jsonl
  const CurationSettings& settings;
};

struct OutputCounts {
  size_t train = 0;
  size_t validation = 0;
};

// Throws Error where the disk is full, StageInterrupted; then the files are as they were before.
OutputCounts write_curation_output(const CurationOutput& output);

}  // namespace cuset::curate
