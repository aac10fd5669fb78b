// A curation: the stages of a plan, one after the other, over the rows of its sources.
//
//   sources        records that can be read
//   normalize      rows with a program of a fitting size
//   exact          without exact duplicates
//   decontaminate  without benchmark texts
//   screen         without secrets and foreign licenses
//   verify         that the judge finds correct
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
#include <map>
#include <string>
#include <vector>

#include "curate/plan/plan.h"
#include "curate/stages/verified_rows.h"

namespace cuset::curate {

struct CurationSettings {
  std::filesystem::path output;
  int workers = 0;        // 0: one per core
  JudgeMaker make_judge;  // called only if there are rows to judge
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
