// `cuset analyze` as one call: code in, a folder of results out. Killed or interrupted and called again with
// the same model and data it resumes.
//
//   run.json            what was asked
//   confidences.jsonl   p of every token, as the run goes (confidence_run.h)
//   analysis.json, tokens.csv, windows.csv   docs/analyze.md
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "data/dataset.h"
#include "objective/settings.h"
#include "study/analysis.h"
#include "study/confidence_run.h"
#include "study/labeled_tokens.h"

namespace cuset::study {

struct AnalysisRequest {
  generate::ScoringModelOptions model;
  size_t batch_tokens = 4096;     // that go through the model at a time
  std::vector<std::string> data;  // code_inputs.h
  std::filesystem::path output;   // folder
  size_t max_samples = 0;         // 0: all
  size_t max_tokens = 4096;       // of a sample; never more than the model's positions
  data::OverLength over_length = data::OverLength::kTruncate;
  bool device_functions = false;  // bodies of device functions that kernels reach count as kernel bodies do
  CodeScope scope = CodeScope::kCode;
  AnalysisOptions analysis;
  size_t kernels = 4;                      // whole samples for the heat map, from the hardest to the easiest
  objective::ObjectiveSettings objective;  // tau, lambda and window of the heat map
  base::Json about;                        // an object: what else run.json says, as command and versions
};

// Nothing where an interrupt came (base/interrupt.h). Throws Error or UsageError for what cannot be read,
// does not fit together, or differs from the run in the output; and where no sample has code.
std::optional<Analysis> run_analysis(const AnalysisRequest& request);

}  // namespace cuset::study
