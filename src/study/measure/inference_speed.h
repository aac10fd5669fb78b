// How fast a model writes on this machine: prompts of random tokens, then greedy tokens one step after
// another, all rows together. Free of LibTorch headers, so that commands may include it.
#pragma once

#include <cstdint>
#include <filesystem>

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

// After a short run that does not count. Throws Error for a configuration that is not supported, and
// what Placement::resolve throws.
InferenceSpeed measure_inference(const InferenceSpeedOptions& options, int64_t batch);

}  // namespace cuset::study
