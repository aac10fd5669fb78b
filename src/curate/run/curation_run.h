// A curation: the stages of a plan, one after the other, over the rows of its sources.
//
//   sources        records that can be read
//   normalize      rows with a program of a fitting size
//   exact          without exact duplicates
//   decontaminate  without benchmark texts
//   screen         without secrets and foreign licenses
//   verify         that the judge finds correct
//   confidence     that a model does not find too unlikely; only where the plan names one
//   near           without near-duplicates: after verify, so that a wrong copy never displaces the right one
//   select         the chosen candidates of every task, balanced
//
// The folder:
//   stages/            rows.jsonl, fingerprints.bin, one file per stage (stage_file.h), verify-KEY/ with the verdicts
//   train.jsonl, validation.jsonl, rejected.jsonl, card.md, card.html, summary.json
//
// Every stage is either complete on disk or done again; the verdicts of verify are kept one by one. A plan that changed
// repeats the stages from the first one that it concerns.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "curate/plan/plan.h"
#include "curate/stages/verified_rows.h"
#include "data/sample.h"

namespace cuset::curate {

// A model that reads rows.
struct RowReader {
  std::string key;  // that changes with what it would say
  // Of every sample the share of its response's tokens that are unlikely; nothing where an interrupt came. `file` keeps
  // what is known between calls.
  std::function<std::optional<std::vector<double>>(const std::vector<data::Sample>& samples,
                                                   const std::filesystem::path& file)>
      unlikely_shares;
};

struct CurationSettings {
  std::filesystem::path output;
  int workers = 0;        // 0: one per core
  JudgeMaker make_judge;  // called only if there are rows to judge
  RowReader reader;       // of a plan with the section confidence
  std::string version;    // of the program, for the data card
};

struct StageCount {
  std::string name;
  size_t in = 0;
  size_t out = 0;
  std::map<std::string, size_t> reasons = {};  // of what was refused
  bool was_done = false;                       // by an earlier run
  double seconds = 0;                          // of this run; reading the sources is part of normalize
};

struct CurationResult {
  std::vector<StageCount> stages;
  size_t train = 0;
  size_t validation = 0;
  bool is_interrupted = false;  // the next run continues
};

// Throws Error where a source cannot be read, a disk is full, or another run works in the folder.
CurationResult run_curation(const CurationPlan& plan, const CurationSettings& settings);

// "stage  in  out  rejected", a line for each.
std::string stage_table(const std::vector<StageCount>& stages);

}  // namespace cuset::curate
