// What one optimizer step measured, summed over its micro-batches and ranks.
//
// Sums stay on the device in one float64 tensor, so that a step exchanges them in one reduction and reads
// them back in one copy:
//
//   loss, weight, cross-entropy, confidence, masked in, correct, signals     kSums scalars
//   w_n of every sample, the row of its lowest window                        2 x samples
//   gradient norm                                                           1, after the reduction
//
// Every rank fills in the samples of its own micro-batches and leaves zeros for the others: the sum over
// ranks has them all.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "base/json/json.h"
#include "objective/objective.h"

namespace cuset::train {

struct LowestWindow {
  size_t sample = 0;  // of the step, in the order of its micro-batches
  int64_t row = 0;    // supervised token of the sample at the window's center
  double confidence = 0;
};

struct StepMetrics {
  double loss_sum = 0;
  double weight_sum = 0;
  double cross_entropy_sum = 0;
  double confidence_sum = 0;
  double masked_in_sum = 0;
  double correct_sum = 0;
  double signals = 0;  // ranks that were asked to stop
  double sample_weight_sum = 0;
  double gradient_norm = 0;
  LowestWindow lowest;  // of the samples with the largest w_n; the first where all have the same

  double loss = 0;  // divided by the loss denominator
  int64_t supervised = 0;
  int64_t samples = 0;
  int64_t tokens = 0;

  double cross_entropy() const { return per_token(cross_entropy_sum); }
  bool is_finite() const;
  // {"loss", "grad_norm", "supervised_tokens", "masked_in", "mean_confidence", "mean_sample_weight",
  // "accuracy"}.
  base::Json to_json() const;

 private:
  double per_token(double sum) const { return supervised > 0 ? sum / static_cast<double>(supervised) : 0; }
};

// Collects them.
class StepSums {
 public:
  StepSums(int64_t samples, torch::Device device);

  // Adds a micro-batch whose first sample is number `first_sample` of the step.
  void add(const objective::ObjectiveResult& result, int64_t first_sample);
  void add_signal();

  torch::Tensor& tensor() { return sums_; }  // to be reduced over ranks
  torch::Tensor weight_sum() const;          // a scalar on the device

  // Waits for the device. Sums and samples alone are filled in.
  StepMetrics read(const torch::Tensor& gradient_norm) const;

 private:
  torch::Tensor sums_;
  int64_t samples_;
};

}  // namespace cuset::train
