#include "objective/objective.h"

#include "base/error.h"
#include "objective/token_weights.h"
#include "ops/head.h"

namespace cuset {
namespace {

void check_shapes(const ObjectiveSettings& settings, const ObjectiveInput& input,
                  const SupervisedRows& rows) {
  const int64_t count = rows.positions.numel();
  CUSET_CHECK(rows.targets.numel() == count && rows.is_cuda.numel() == count && rows.borders.back() == count,
              "{} positions, {} targets, {} masks, last border {}", count, rows.targets.numel(),
              rows.is_cuda.numel(), rows.borders.back());
  CUSET_CHECK(rows.data_weights.numel() == rows.samples(), "{} weights of {} samples",
              rows.data_weights.numel(), rows.samples());
  CUSET_CHECK(input.reference_hidden.defined() == settings.needs_reference(), "reference of {}",
              name_of(settings.method));
}

HeadOptions head_options(const ObjectiveSettings& settings, const ObjectiveInput& input,
                         const SupervisedRows& rows) {
  HeadOptions options;
  options.gradient = input.gradient;
  options.entropy = settings.method == Method::kEaft;
  if (settings.needs_reference()) {
    options.reference_hidden = input.reference_hidden.index_select(0, rows.positions);
  }
  return options;
}

// What the head would say of no rows.
HeadRows no_head_rows(const torch::Tensor& hidden) {
  const bool is_double = hidden.scalar_type() == torch::kFloat64;
  const auto none = torch::empty({0}, hidden.options().dtype(is_double ? torch::kFloat64 : torch::kFloat32));
  return {none, none.to(torch::kBool), none, none, hidden, hidden};
}

torch::Tensor sum_of(const torch::Tensor& rows) { return rows.sum(torch::kFloat64); }

// Everything of the result but the gradient.
ObjectiveResult weigh_rows(const ObjectiveSettings& settings, double tau, const HeadRows& figures,
                           const SupervisedRows& rows) {
  const torch::Tensor& log_p = figures.log_probability;
  const auto p = log_p.exp();
  const RowSegments segments = make_row_segments(rows.borders, log_p.device());
  const LowestWindows lowest = lowest_windows(p, segments, settings.window);
  ObjectiveResult result;
  result.rows = log_p.numel();
  result.lowest_window = lowest.row;
  result.sample_weights =
      settings.has_sample_weight() ? 1 - lowest.confidence : torch::ones_like(lowest.confidence);
  const auto weight_of_sample = (result.sample_weights * rows.data_weights).to(log_p.scalar_type());
  result.row_weight = token_weights(settings, tau, figures, rows.is_cuda) *
                      weight_of_sample.index_select(0, segments.sample_of_row);
  result.row_loss = result.row_weight * -log_p;
  if (settings.needs_reference()) result.row_loss.add_(figures.divergence, settings.divergence);
  result.loss_sum = sum_of(result.row_loss);
  result.weight_sum = sum_of(result.row_weight);
  result.cross_entropy_sum = -sum_of(log_p);
  result.confidence_sum = sum_of(p);
  result.masked_in_sum = sum_of(result.row_weight > 0);
  result.correct_sum = sum_of(figures.is_best);
  return result;
}

// Scales the head's gradients, in place, and spreads their rows over the tokens of the pack.
torch::Tensor hidden_gradient(const ObjectiveSettings& settings, const ObjectiveInput& input,
                              const HeadRows& figures, const SupervisedRows& rows,
                              const torch::Tensor& row_weight) {
  torch::Tensor gradient = figures.hidden_gradient;
  gradient.mul_((row_weight * input.gradient_scale).unsqueeze(1));
  if (settings.needs_reference()) {
    gradient.add_(figures.divergence_gradient, settings.divergence * input.gradient_scale);
  }
  auto spread = torch::zeros_like(input.hidden);
  return spread.index_copy_(0, rows.positions, gradient.to(spread.scalar_type()));
}

}  // namespace

ObjectiveResult evaluate_objective(const ObjectiveSettings& settings, const ObjectiveInput& input,
                                   const SupervisedRows& rows) {
  const torch::NoGradGuard no_gradient;
  check_shapes(settings, input, rows);
  const auto hidden = input.hidden.index_select(0, rows.positions);
  const HeadOptions options = head_options(settings, input, rows);
  const bool is_empty = hidden.size(0) == 0;
  const HeadRows figures =
      is_empty ? no_head_rows(hidden) : head_rows(hidden, input.head.value, rows.targets, options);
  ObjectiveResult result = weigh_rows(settings, settings.tau_at(input.progress), figures, rows);
  if (!input.gradient) return result;
  result.hidden_gradient = hidden_gradient(settings, input, figures, rows, result.row_weight);
  if (input.head.is_trained() && !is_empty) {
    const HeadWeightGradient weights{
        result.row_weight * input.gradient_scale,
        settings.needs_reference() ? settings.divergence * input.gradient_scale : 0};
    add_head_weight_gradient(hidden, input.head, rows.targets, weights, options);
  }
  return result;
}

}  // namespace cuset
