// The jobs of a study: which commands make it, what each needs, what it leaves in the study's folder.
//
//   data/clean-1.jsonl                    cuset gym data, or a copy of a file
//   data/clean-1.tasks.jsonl              beside it, where the data is curated
//   data/curated-1/                       cuset curate: train.jsonl and what else it writes
//   tasks/seen.jsonl                      cuset gym tasks, or a copy of a file
//   bases/strong/adapter, .../model       cuset train and cuset merge, for bases that the study makes
//   cells/BASE/METHOD-DATA-SEED/          cuset train: the adapter of a cell
//   answers/BASE/DECODING/TASKS/SET/      cuset generate and cuset verify; SET is a cell's name, or "base"
//
// Each job leaves KIND.job.json beside its results: what it was made with, and what it cost. All paths are
// relative to the study's folder, which may move from one machine to another.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "study/plan/cells.h"
#include "study/plan/plan.h"

namespace cuset::study {

// The parts of a study, in order. Tables are no job: they are made of what is done.
enum class StudyPart { kData, kTrain, kGenerate, kVerify, kTables };

inline constexpr StudyPart kStudyParts[] = {StudyPart::kData, StudyPart::kTrain, StudyPart::kGenerate,
                                            StudyPart::kVerify, StudyPart::kTables};

std::string_view name_of(StudyPart part);

struct StudyJob {
  StudyPart part = StudyPart::kData;
  std::string kind;  // "data", "tasks", "curate", "train", "merge", "generate" or "verify"
  std::string name;  // "builtin/cuset-noisy-1"
  // Everything that decides the result: settings, and for what it is made from the same, as a hash.
  base::Json made_with;
  std::filesystem::path record;
  std::vector<std::filesystem::path> results;    // files that are there when it is done
  std::vector<std::filesystem::path> leftovers;  // removed before it begins anew
  bool resumes = true;                           // the command continues where it was interrupted
  std::vector<size_t> needs;                     // jobs, by their index

  std::vector<std::string> command;  // words after "cuset"; empty: `copied_from` is copied
  std::filesystem::path copied_from;
  PlanSettings settings;
  std::filesystem::path settings_file;
  std::filesystem::path input_file;  // written before the command, as the plan of a curation; empty: none
  std::string input_text;
  std::filesystem::path log;

  // Generation: jobs with the same value are one process. Each adds its adapter, or --base.
  std::filesystem::path shared_output;
  std::filesystem::path adapter;

  double work = 0;  // records, samples seen in training, or answers
};

// One set of answers and where its verdicts are: a cell's, or a base's without an adapter.
struct AnswerSetPlace {
  std::string base;
  std::string data;    // empty for a base
  std::string method;  // kNoMethod for a base
  int64_t seed = 0;
  std::string decoding;
  std::string tasks;        // name of the part
  size_t verification = 0;  // index of its job
  size_t training = 0;      // index of its job; unused for a base
};

struct StudyJobs {
  std::vector<StudyJob> jobs;                     // what a job needs comes before it
  std::vector<AnswerSetPlace> sets;               // all sets of answers
  std::vector<std::vector<size_t>> jobs_of_cell;  // by cell: training, generation, verification
};

// The jobs of all cells. Files that the plan names are read for their hash; where one is missing, the hash
// that an earlier run recorded in `output` counts.
StudyJobs jobs_of(const StudyPlan& plan, const std::filesystem::path& output);

// Jobs of cells and bases whose names fit `pattern` (cells.h), and what they need.
std::vector<bool> chosen_jobs(const StudyJobs& jobs, const std::string& pattern);

// Settings as a file for --config.
std::string settings_as_yaml(const PlanSettings& settings);

}  // namespace cuset::study
