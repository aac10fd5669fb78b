#include "objective/objective.h"

#include "base/error.h"
#include "objective/accepted_tokens.h"
#include "objective/token_weights.h"
#include "ops/linear_cross_entropy.h"

namespace cuset::objective {
namespace {

void check_shapes(const ObjectiveSettings& settings, const ObjectiveInput& input,
                  const SupervisedRows& rows) {
  const int64_t count = rows.positions.numel();
  CUSET_CHECK(rows.targets.numel() == count && rows.is_cuda.numel() == count && rows.borders.back() == count,
              "{} positions, {} targets, {} masks, last border {}", count, rows.targets.numel(),
              rows.is_cuda.numel(), rows.borders.back());
  CUSET_CHECK(rows.data_weights.numel() == rows.samples(), "{} weights of {} samples",
              rows.data_weights.numel(), rows.samples());
  CUSET_CHECK(!rows.vouched.defined() || rows.vouched.numel() == rows.samples(), "{} marks of {} samples",
              rows.vouched.numel(), rows.samples());
  CUSET_CHECK(input.reference_hidden.defined() == settings.needs_reference(), "reference of {}",
              name_of(settings.method));
}

ops::LinearCrossEntropyOptions head_options(const ObjectiveSettings& settings, const ObjectiveInput& input,
                                            const SupervisedRows& rows) {
  ops::LinearCrossEntropyOptions options;
  options.gradient = input.gradient;
  options.entropy = settings.method == Method::kEaft;
  if (settings.needs_reference()) {
    options.reference_hidden = input.reference_hidden.index_select(0, rows.positions);
  }
  return options;
}

// [rows] bool: the CUDA mask of samples that are vouched for.
torch::Tensor vouched_cuda(const SupervisedRows& rows, const RowSegments& segments) {
  if (!rows.vouched.defined()) return rows.is_cuda;
  return rows.is_cuda.logical_and(rows.vouched.index_select(0, segments.sample_of_row));
}

torch::Tensor sum_of(const torch::Tensor& rows) { return rows.sum(torch::kFloat64); }

// Everything of the result but the gradient.
ObjectiveResult weigh_rows(const ObjectiveSettings& settings, double tau,
                           const ops::LinearCrossEntropy& metrics, const SupervisedRows& rows) {
  const torch::Tensor& log_p = metrics.log_probability;
  const auto p = log_p.exp();
  const RowSegments segments = make_row_segments(rows.borders, log_p.device());
  torch::Tensor accepted;
  if (settings.method == Method::kCusetPlus)
    accepted = accepted_tokens(settings, tau, metrics, rows.is_cuda, segments);
  const LowestWindows lowest = lowest_windows(p, segments, settings.window, accepted);
  ObjectiveResult result;
  result.rows = log_p.numel();
  result.lowest_window = lowest.row;
  result.sample_weights =
      settings.has_sample_weight() ? lowest.sample_weights() : torch::ones_like(lowest.confidence);
  const auto of_rows = [&](const torch::Tensor& of_samples) {
    return of_samples.to(log_p.scalar_type()).index_select(0, segments.sample_of_row);
  };
  result.row_weight = token_weights(settings, tau, metrics, vouched_cuda(rows, segments), accepted) *
                      of_rows(result.sample_weights * rows.data_weights);
  result.row_loss = result.row_weight * -log_p;
  if (settings.needs_reference()) {
    result.divergence_weight = of_rows(rows.data_weights) * settings.divergence;
    result.row_loss.addcmul_(result.divergence_weight, metrics.divergence);
  }
  result.loss_sum = sum_of(result.row_loss);
  result.weight_sum = sum_of(result.row_weight);
  result.cross_entropy_sum = -sum_of(log_p);
  result.confidence_sum = sum_of(p);
  result.masked_in_sum = sum_of(result.row_weight > 0);
  result.correct_sum = sum_of(metrics.is_likeliest);
  return result;
}

// Scales the head's gradients, in place, and spreads their rows over the tokens of the pack.
torch::Tensor hidden_gradient(const ops::LinearCrossEntropy& metrics, const ops::HeadWeightGradient& weights,
                              const torch::Tensor& positions, const torch::Tensor& hidden) {
  torch::Tensor gradient = metrics.hidden_gradient;
  gradient.mul_(weights.loss_weights.unsqueeze(1));
  if (weights.divergence_weights.defined()) {
    gradient.addcmul_(metrics.divergence_gradient, weights.divergence_weights.unsqueeze(1));
  }
  return torch::zeros_like(hidden).index_copy_(0, positions, gradient);
}

}  // namespace

ObjectiveResult evaluate_objective(const ObjectiveSettings& settings, const ObjectiveInput& input,
                                   const SupervisedRows& rows) {
  const torch::NoGradGuard no_gradient;
  check_shapes(settings, input, rows);
  const auto hidden = input.hidden.index_select(0, rows.positions);
  const ops::LinearCrossEntropyOptions options = head_options(settings, input, rows);
  const ops::LinearCrossEntropy metrics =
      ops::linear_cross_entropy(hidden, input.head.value, rows.targets, options);
  ObjectiveResult result = weigh_rows(settings, settings.tau_at(input.progress), metrics, rows);
  if (!input.gradient) return result;
  ops::HeadWeightGradient weights{result.row_weight * input.gradient_scale};
  if (settings.needs_reference()) {
    weights.divergence_weights = result.divergence_weight * input.gradient_scale;
  }
  result.hidden_gradient = hidden_gradient(metrics, weights, rows.positions, input.hidden);
  if (input.head.is_trained())
    ops::add_head_weight_gradient(hidden, input.head, rows.targets, weights, options);
  return result;
}

}  // namespace cuset::objective
