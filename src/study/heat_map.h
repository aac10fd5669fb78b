// A whole sample as the CuSeT objective sees it, for drawing: p of every token, both masks, the window
// confidence and the sample's weight (docs/objectives.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "cuda_source/regions.h"
#include "data/example.h"
#include "objective/settings.h"

namespace cuset::study {

struct HeatToken {
  std::string text;      // the texts of all tokens, one after the other, are the response
  float confidence = 0;  // 0 where nothing predicts the token
  bool is_supervised = false;
  bool is_cuda = false;       // C: the CUDA mask
  bool is_confident = false;  // 1[p > tau]: the confidence mask
};

struct HeatRegion {
  size_t begin = 0;  // of the tokens
  size_t end = 0;
  cuda_source::RegionKind kind = cuda_source::RegionKind::kKernelBody;
};

struct HeatMap {
  std::string id;
  std::string prompt;             // as the model reads it; empty for a document
  std::vector<HeatToken> tokens;  // of the response and what closes it
  std::vector<HeatRegion> regions;
  double sample_weight = 0;  // w_n
  double tau = 0;
  double lambda = 0;
  int64_t window = 0;                     // l
  std::vector<double> window_confidence;  // of every supervised token, in order
};

// `confidences` are those of the supervised tokens, in order; at least one. The example has its text, spans
// and regions.
HeatMap draw_heat_map(const data::Example& example, std::span<const float> confidences,
                      const objective::ObjectiveSettings& objective);

// As docs/analyze.md describes an entry of "kernels".
base::Json json_of(const HeatMap& map);

}  // namespace cuset::study
