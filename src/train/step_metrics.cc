#include "train/step_metrics.h"

#include <cmath>

namespace cuset::train {
namespace {

constexpr int64_t kSums = 7;
constexpr int64_t kWeight = 1;
constexpr int64_t kSignals = 6;

}  // namespace

bool StepMetrics::is_finite() const {
  return std::isfinite(loss) && std::isfinite(cross_entropy_sum) && std::isfinite(gradient_norm);
}

base::Json StepMetrics::to_json() const {
  return {{"loss", loss},
          {"grad_norm", gradient_norm},
          {"supervised_tokens", supervised},
          {"masked_in", per_token(masked_in_sum)},
          {"mean_confidence", per_token(confidence_sum)},
          {"mean_sample_weight", sample_weight_sum / static_cast<double>(std::max<int64_t>(1, samples))},
          {"accuracy", per_token(correct_sum)}};
}

StepSums::StepSums(int64_t samples, torch::Device device)
    : sums_(torch::zeros({kSums + 2 * samples}, torch::TensorOptions(torch::kFloat64).device(device))),
      samples_(samples) {}

void StepSums::add(const objective::ObjectiveResult& result, int64_t first_sample) {
  const torch::NoGradGuard no_gradient;
  sums_.narrow(0, 0, kSignals)
      .add_(torch::stack({result.loss_sum, result.weight_sum, result.cross_entropy_sum, result.confidence_sum,
                          result.masked_in_sum, result.correct_sum}));
  const int64_t count = result.sample_weights.numel();
  sums_.narrow(0, kSums + first_sample, count).add_(result.sample_weights);
  sums_.narrow(0, kSums + samples_ + first_sample, count).add_(result.lowest_window);
}

void StepSums::add_signal() { sums_[kSignals].add_(1); }

torch::Tensor StepSums::weight_sum() const { return sums_[kWeight]; }

StepMetrics StepSums::read(const torch::Tensor& gradient_norm) const {
  const auto host = torch::cat({sums_, gradient_norm.reshape({1})}).cpu();
  const double* values = host.data_ptr<double>();
  StepMetrics metrics;
  metrics.loss_sum = values[0];
  metrics.weight_sum = values[kWeight];
  metrics.cross_entropy_sum = values[2];
  metrics.confidence_sum = values[3];
  metrics.masked_in_sum = values[4];
  metrics.correct_sum = values[5];
  metrics.signals = values[kSignals];
  metrics.gradient_norm = values[kSums + 2 * samples_];
  metrics.samples = samples_;
  const double* weights = values + kSums;
  size_t largest = 0;
  for (int64_t i = 0; i < samples_; ++i) {
    metrics.sample_weight_sum += weights[i];
    if (weights[i] > weights[largest]) largest = static_cast<size_t>(i);
  }
  if (samples_ == 0) return metrics;
  metrics.lowest = {largest, static_cast<int64_t>(weights[samples_ + static_cast<int64_t>(largest)]),
                    1 - weights[largest]};
  return metrics;
}

}  // namespace cuset::train
