#include "train/forward_backward.h"

namespace cuset {
namespace {

torch::Tensor reference_hidden(Decoder& decoder, const TrainingBatch& batch,
                               const ObjectiveSettings& objective) {
  if (!objective.needs_reference()) return {};
  const torch::NoGradGuard no_gradient;
  ForwardOptions forward;
  forward.adapter = false;
  return decoder.hidden(batch.tokens, forward);
}

ObjectiveInput input_of(Decoder& decoder, const torch::Tensor& hidden,
                        const ForwardBackwardOptions& options) {
  ObjectiveInput input;
  input.hidden = hidden.detach();
  input.head = decoder.head();
  input.progress = options.progress;
  input.gradient_scale = options.gradient_scale;
  return input;
}

}  // namespace

ObjectiveResult forward_backward(Decoder& decoder, const TrainingBatch& batch,
                                 const ForwardBackwardOptions& options) {
  const auto reference = reference_hidden(decoder, batch, options.objective);
  ForwardOptions forward;
  forward.dropout = options.dropout;
  forward.dropout_seed = options.dropout_seed;
  forward.recompute = options.recompute;
  const auto hidden = decoder.hidden(batch.tokens, forward);
  ObjectiveInput input = input_of(decoder, hidden, options);
  input.reference_hidden = reference;
  ObjectiveResult result = evaluate_objective(options.objective, input, batch.rows);
  hidden.backward(result.hidden_gradient);
  result.hidden_gradient = torch::Tensor();
  return result;
}

ObjectiveResult evaluate(Decoder& decoder, const TrainingBatch& batch,
                         const ForwardBackwardOptions& options) {
  const torch::NoGradGuard no_gradient;
  const auto hidden = decoder.hidden(batch.tokens, {});
  ObjectiveInput input = input_of(decoder, hidden, options);
  input.reference_hidden = reference_hidden(decoder, batch, options.objective);
  input.gradient = false;
  return evaluate_objective(options.objective, input, batch.rows);
}

}  // namespace cuset
