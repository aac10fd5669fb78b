// The probabilities that a model gives to tokens that are there already, in packs and without full logits:
// the fused head gives log p of the targets, chunk by chunk (ops/linear_cross_entropy.h). Free of LibTorch
// headers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "model/placement.h"

namespace cuset::generate {

struct ScoringModelOptions {
  std::filesystem::path folder;
  std::filesystem::path adapter;  // empty: none
  model::Placement placement;     // 0 threads: all cores
};

// Most tokens of a sequence that the model of a folder knows; 0: no limit. Throws Error naming config.json.
int64_t positions_of_model(const std::filesystem::path& folder);

// A sequence; token i is of interest where is_wanted[i] is not 0. The first token has no probability.
struct ScoredSequence {
  std::span<const uint32_t> ids;
  std::span<const uint8_t> is_wanted;  // as many
};

class ScoringModel {
 public:
  // Throws Error for what cannot be loaded.
  explicit ScoringModel(const ScoringModelOptions& options);
  ~ScoringModel();
  ScoringModel(const ScoringModel&) = delete;
  ScoringModel& operator=(const ScoringModel&) = delete;

  int64_t vocabulary() const;

  // p of the wanted tokens of every sequence, in order; not a number where the model computes none. All
  // sequences go through the model as one pack. Their ids are below vocabulary().
  std::vector<std::vector<float>> probabilities(std::span<const ScoredSequence> sequences);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cuset::generate
