// How a model does on examples that it does not learn from, and which ones those are.
#pragma once

#include <cstdint>
#include <vector>

#include "base/json/json.h"
#include "data/example.h"
#include "model/decoder.h"
#include "train/ranks/ranks.h"

namespace cuset::train {

// Takes part of `examples` out of them, chosen by the seed alone; both parts keep their order. Below 1,
// `size` is a share (at least one example), else a number. Throws UsageError where nothing would be left.
std::vector<data::Example> split_off_validation(std::vector<data::Example>& examples, double size,
                                                uint64_t seed);

struct EvaluationMetrics {
  double loss = 0;        // mean cross-entropy per supervised token
  double accuracy = 0;    // share of tokens that the model would choose itself
  double confidence = 0;  // mean p
  int64_t tokens = 0;     // supervised

  // {"eval_loss", "eval_accuracy", "eval_confidence"}.
  base::Json to_json() const;
};

class Evaluation {
 public:
  // Borrows the examples and the ranks, which share the work. Packs hold up to `capacity` tokens, or one
  // example.
  Evaluation(const std::vector<data::Example>& examples, const Ranks& ranks, size_t capacity);

  bool is_empty() const { return packs_.empty(); }
  // All ranks call it and get the same metrics.
  EvaluationMetrics run(model::Decoder& decoder) const;

 private:
  const std::vector<data::Example>* examples_;
  const Ranks* ranks_;
  std::vector<std::vector<size_t>> packs_;
};

}  // namespace cuset::train
