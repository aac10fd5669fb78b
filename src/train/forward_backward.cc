#include "train/forward_backward.h"

#include <algorithm>

#include "base/error.h"

namespace cuset::train {
namespace {

// The columns of a batch, gathered on the host.
struct Columns {
  std::vector<int64_t> ids, positions, keys;        // per token
  std::vector<int64_t> row_positions, row_targets;  // per supervised token
  std::vector<uint8_t> row_is_cuda;
  std::vector<int64_t> lengths, borders = {0};  // per sample
  std::vector<float> weights;
  std::vector<uint8_t> vouched;

  void append(const data::Example& example) {
    const auto first = static_cast<int64_t>(ids.size());
    for (size_t i = 0; i < example.ids.size(); ++i) {
      const auto place = static_cast<int64_t>(i);
      ids.push_back(example.ids[i]);
      positions.push_back(place);
      if (i == 0 || example.is_label[i] == 0) continue;
      row_positions.push_back(first + place - 1);
      row_targets.push_back(example.ids[i]);
      row_is_cuda.push_back(example.is_cuda[i]);
    }
    lengths.push_back(static_cast<int64_t>(example.ids.size()));
    borders.push_back(static_cast<int64_t>(row_positions.size()));
    weights.push_back(static_cast<float>(example.weight));
    vouched.push_back(example.vouched ? 1 : 0);
  }

  void append_keys(uint64_t turn, size_t tokens) {
    for (size_t i = 0; i < tokens; ++i) keys.push_back(ops::dropout_key(turn, i));
  }
};

torch::Tensor on_device(const std::vector<int64_t>& values, torch::Device device) {
  return torch::tensor(values, torch::kInt64).to(device);
}

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

TrainingBatch make_training_batch(const std::vector<const data::Example*>& examples,
                                  const std::vector<uint64_t>& turns, torch::Device device) {
  CUSET_CHECK(turns.empty() || turns.size() == examples.size(), "{} examples, {} turns", examples.size(),
              turns.size());
  Columns columns;
  for (size_t i = 0; i < examples.size(); ++i) {
    columns.append(*examples[i]);
    if (!turns.empty()) columns.append_keys(turns[i], examples[i]->ids.size());
  }
  TrainingBatch batch;
  batch.tokens.ids = on_device(columns.ids, device);
  batch.tokens.positions = on_device(columns.positions, device);
  batch.tokens.segments = ops::make_segments(columns.lengths, device);
  if (!turns.empty()) batch.tokens.dropout_keys = on_device(columns.keys, device);
  batch.rows.positions = on_device(columns.row_positions, device);
  batch.rows.targets = on_device(columns.row_targets, device);
  const auto is_cuda = torch::tensor(columns.row_is_cuda, torch::kUInt8);
  batch.rows.is_cuda = is_cuda.to(torch::kBool).to(device);
  batch.rows.borders = columns.borders;
  batch.rows.data_weights = torch::tensor(columns.weights, torch::kFloat32).to(device);
  // Most data is vouched for as a whole: nothing is computed for it then.
  if (std::find(columns.vouched.begin(), columns.vouched.end(), 0) != columns.vouched.end())
    batch.rows.vouched = torch::tensor(columns.vouched, torch::kUInt8).to(torch::kBool).to(device);
  return batch;
}

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
