// How fast a model writes on this machine: prompts of random tokens, then greedy tokens one step after
// another, all rows together; beside transformers' generate on the same model and prompts, in one run. Free of
// LibTorch headers, so that commands may include it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "model/placement.h"

namespace cuset::study {

struct InferenceSpeedOptions {
  base::Json config;                 // as in config.json
  std::filesystem::path model = {};  // folder of its weights; empty: random ones
  int64_t prompt = 512;              // tokens
  int64_t new_tokens = 256;          // of every sequence
  model::Placement placement = {.device = "cpu"};
};

struct InferenceSpeed {
  double seconds = 0;         // all of it
  double prompt_seconds = 0;  // until the first tokens are known
  uint64_t peak_bytes = 0;    // of GPU memory; 0 on the CPU
};

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

// Each batch after a short run that does not count. Throws Error for a configuration that is not supported,
// and what Placement::resolve throws.
GenerateBenchResult measure_generation(const GenerateBenchOptions& options);

std::string render_generation(const GenerateBenchOptions& options, const GenerateBenchResult& result);
base::Json to_json(const GenerateBenchOptions& options, const GenerateBenchResult& result);

}  // namespace cuset::study
