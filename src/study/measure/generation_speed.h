// Speed of generation beside transformers' generate on the same model, prompts and machine, in one run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "study/measure/inference_speed.h"

namespace cuset::study {

struct GenerateBenchOptions {
  InferenceSpeedOptions speed;
  std::string name;              // of the model, for the table
  std::vector<int64_t> batches;  // measured one after another
  std::string python;            // with transformers; empty: no comparison
};

struct GenerateBenchRow {
  int64_t batch = 0;
  InferenceSpeed ours;
  std::optional<InferenceSpeed> transformers;
};

struct GenerateBenchResult {
  std::vector<GenerateBenchRow> rows;
  std::string missing;  // why there is no comparison; empty where there is
};

GenerateBenchResult measure_generation(const GenerateBenchOptions& options);

std::string render_generation(const GenerateBenchOptions& options, const GenerateBenchResult& result);
base::Json to_json(const GenerateBenchOptions& options, const GenerateBenchResult& result);

}  // namespace cuset::study
