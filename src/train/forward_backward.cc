#include "train/forward_backward.h"

namespace cuset::train {
namespace {

torch::Tensor reference_hidden(model::Decoder& decoder, const TrainingBatch& batch,
                               const objective::ObjectiveSettings& objective) {
  if (!objective.needs_reference()) return {};
  const torch::NoGradGuard no_gradient;
  model::ForwardOptions forward;
  forward.adapter = false;
  return decoder.hidden(batch.tokens, forward);
}

objective::ObjectiveInput input_of(model::Decoder& decoder, const torch::Tensor& hidden,
                                   const ForwardBackwardOptions& options) {
  objective::ObjectiveInput input;
  input.hidden = hidden.detach();
  input.head = decoder.head();
  input.progress = options.progress;
  input.gradient_scale = options.gradient_scale;
  return input;
}

}  // namespace

objective::ObjectiveResult forward_backward(model::Decoder& decoder, const TrainingBatch& batch,
                                            const ForwardBackwardOptions& options) {
  const auto reference = reference_hidden(decoder, batch, options.objective);
  model::ForwardOptions forward;
  forward.dropout = options.dropout;
  forward.dropout_seed = options.dropout_seed;
  forward.recompute = options.recompute;
  const auto hidden = decoder.hidden(batch.tokens, forward);
  objective::ObjectiveInput input = input_of(decoder, hidden, options);
  input.reference_hidden = reference;
  objective::ObjectiveResult result = objective::evaluate_objective(options.objective, input, batch.rows);
  hidden.backward(result.hidden_gradient);
  result.hidden_gradient = torch::Tensor();
  return result;
}

objective::ObjectiveResult evaluate(model::Decoder& decoder, const TrainingBatch& batch,
                                    const ForwardBackwardOptions& options) {
  const torch::NoGradGuard no_gradient;
  const auto hidden = decoder.hidden(batch.tokens, {});
  objective::ObjectiveInput input = input_of(decoder, hidden, options);
  input.reference_hidden = reference_hidden(decoder, batch, options.objective);
  input.gradient = false;
  return objective::evaluate_objective(options.objective, input, batch.rows);
}

}  // namespace cuset::train
