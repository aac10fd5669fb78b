// Speed of `cuset curate` by stages: samples of the gym, a third of them noisy, go through a whole curation. Reading with
// normalizing and removal of duplicates are measured on many rows, verification on a few of them from a cold cache of builds.
#pragma once

#include <string>

#include "base/json/json.h"
#include "sandbox/sandbox.h"

namespace cuset::study {

struct CurationBenchOptions {
  uint64_t rows = 20'000;
  uint64_t answers = 60;  // that are verified
  std::string executor = "auto";
  int trials = 5;
  int workers = 0;              // 0: one per core
  uint64_t projected = 90'000;  // candidates, as many as ConCuR's
};

struct CurationBenchResult {
  std::string machine;
  int workers = 0;
  uint64_t rows = 0;
  uint64_t answers = 0;
  uint64_t projected = 0;
  double parse_seconds = 0;  // of all rows: read, take programs out, normalize, sign, store
  double exact_seconds = 0;
  double near_seconds = 0;
  double verify_seconds = 0;  // of all answers

  // All of `projected` through every stage on this machine.
  double projected_seconds() const;
};

// Throws Error where the executor cannot work, or an interrupt ends it.
CurationBenchResult measure_curation(const CurationBenchOptions& options);

std::string render_curation_speed(const CurationBenchResult& result);
base::Json to_json(const CurationBenchResult& result);

}  // namespace cuset::study
