#include "train/evaluation.h"

#include <algorithm>

#include "base/error.h"
#include "base/stats/random.h"
#include "data/packing.h"
#include "train/forward_backward.h"

namespace cuset::train {
namespace {

size_t number_chosen(double size, size_t examples) {
  const double wanted = size < 1 ? std::max(1.0, size * static_cast<double>(examples)) : size;
  if (wanted >= static_cast<double>(examples)) {
    throw base::UsageError("val_size is {}, but there are {} samples", size, examples)
        .with_remedy("leave some samples to train on");
  }
  return static_cast<size_t>(wanted);
}

}  // namespace

std::vector<data::Example> split_off_validation(std::vector<data::Example>& examples, double size,
                                                uint64_t seed) {
  std::vector<data::Example> chosen;
  if (size <= 0) return chosen;
  const size_t count = number_chosen(size, examples.size());
  std::vector<bool> is_chosen(examples.size(), false);
  base::RandomStream stream(seed, "validation");
  for (const size_t index : stream.sample_without_replacement(count, examples.size()))
    is_chosen[index] = true;
  std::vector<data::Example> kept;
  for (size_t i = 0; i < examples.size(); ++i) {
    (is_chosen[i] ? chosen : kept).push_back(std::move(examples[i]));
  }
  examples = std::move(kept);
  return chosen;
}

base::Json EvaluationMetrics::to_json() const {
  return {{"eval_loss", loss}, {"eval_accuracy", accuracy}, {"eval_confidence", confidence}};
}

Evaluation::Evaluation(const std::vector<data::Example>& examples, const Ranks& ranks, size_t capacity)
    : examples_(&examples), ranks_(&ranks) {
  if (examples.empty()) return;
  std::vector<size_t> lengths;
  for (const data::Example& example : examples) lengths.push_back(example.ids.size());
  const size_t room = std::max(capacity, *std::max_element(lengths.begin(), lengths.end()));
  for (data::Pack& pack : data::pack_examples(lengths, room, base::RandomStream(0, "evaluation"))) {
    packs_.push_back(std::move(pack.examples));
  }
}

EvaluationMetrics Evaluation::run(model::Decoder& decoder) const {
  const torch::NoGradGuard no_gradient;
  ForwardBackwardOptions options;
  options.objective.method = objective::Method::kSft;
  auto sums = torch::zeros({4}, torch::TensorOptions(torch::kFloat64).device(decoder.device()));
  for (size_t i = static_cast<size_t>(ranks_->rank()); i < packs_.size();
       i += static_cast<size_t>(ranks_->size())) {
    std::vector<const data::Example*> members;
    for (const size_t index : packs_[i]) members.push_back(&examples_->at(index));
    const objective::ObjectiveResult result =
        evaluate(decoder, make_training_batch(members, {}, decoder.device()), options);
    const auto rows = torch::full_like(result.cross_entropy_sum, static_cast<double>(result.rows));
    sums.add_(torch::stack({result.cross_entropy_sum, result.correct_sum, result.confidence_sum, rows}));
  }
  ranks_->all_reduce_sum(sums, "the evaluation");
  const auto host = sums.cpu();
  const double* values = host.data_ptr<double>();
  const double tokens = std::max(1.0, values[3]);
  return {values[0] / tokens, values[1] / tokens, values[2] / tokens, static_cast<int64_t>(values[3])};
}

}  // namespace cuset::train
