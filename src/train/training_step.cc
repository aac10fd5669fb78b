#include "train/training_step.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/stats/random.h"
#include "train/optimizer.h"

namespace cuset::train {
namespace {

// Those of a micro-batch, from the losses of its supervised tokens.
std::vector<OffendingRow> losses_of_samples(const torch::Tensor& row_loss,
                                            const objective::SupervisedRows& rows,
                                            const std::vector<const data::Example*>& examples) {
  const auto host = row_loss.to(torch::kCPU, torch::kFloat64).contiguous();
  const double* losses = host.data_ptr<double>();
  std::vector<OffendingRow> found;
  for (size_t i = 0; i < examples.size(); ++i) {
    const int64_t begin = rows.borders[i];
    const int64_t end = rows.borders[i + 1];
    double sum = 0;
    for (int64_t row = begin; row < end; ++row) sum += losses[row];
    found.push_back({examples[i]->place, end > begin ? sum / static_cast<double>(end - begin) : 0});
  }
  return found;
}

bool is_worse(const OffendingRow& a, const OffendingRow& b) {
  const bool a_finite = std::isfinite(a.loss);
  const bool b_finite = std::isfinite(b.loss);
  if (a_finite != b_finite) return b_finite;
  return a_finite && a.loss > b.loss;
}

// Every rank's list, one row per line: the loss as text, a tab, the place.
std::vector<OffendingRow> gathered(const Ranks& ranks, const std::vector<OffendingRow>& own) {
  std::string text;
  for (const OffendingRow& row : own) text += fmt::format("{:.17g}\t{}\n", row.loss, row.place);
  std::vector<OffendingRow> all;
  for (const std::string& lines : ranks.all_gather(text, "the search for offending rows")) {
    for (size_t begin = 0; begin < lines.size();) {
      const size_t tab = lines.find('\t', begin);
      const size_t end = lines.find('\n', tab);
      all.push_back({lines.substr(tab + 1, end - tab - 1), std::strtod(lines.c_str() + begin, nullptr)});
      begin = end + 1;
    }
  }
  return all;
}

}  // namespace

TrainingStep::TrainingStep(model::Decoder& decoder, const std::vector<data::Example>& examples,
                           const Ranks& ranks, const StepSettings& settings, uint64_t seed)
    : decoder_(&decoder),
      examples_(&examples),
      ranks_(&ranks),
      settings_(settings),
      dropout_seed_(base::RandomStream(seed, "dropout").next_u64()) {}

ForwardBackwardOptions TrainingStep::options(double progress) const {
  ForwardBackwardOptions options;
  options.objective = settings_.objective;
  options.dropout = decoder_->lora() == nullptr ? 0 : decoder_->lora()->dropout;
  options.dropout_seed = dropout_seed_;
  options.recompute = settings_.recompute;
  options.progress = progress;
  return options;
}

TrainingBatch TrainingStep::batch_of(const MicroBatch& micro_batch) const {
  std::vector<const data::Example*> examples;
  for (const size_t index : micro_batch.examples) examples.push_back(&examples_->at(index));
  return make_training_batch(examples, micro_batch.turns, decoder_->device());
}

int64_t TrainingStep::supervised(const StepData& data) const {
  int64_t tokens = 0;
  for (const MicroBatch& micro_batch : data.micro_batches) {
    for (const size_t index : micro_batch.examples) {
      tokens += static_cast<int64_t>(examples_->at(index).supervised_tokens());
    }
  }
  return tokens;
}

StepSums TrainingStep::run_micro_batches(const StepData& data, const ForwardBackwardOptions& options) {
  StepSums sums(static_cast<int64_t>(data.samples()), decoder_->device());
  decoder_->trained().zero_gradient();
  int64_t first_sample = 0;
  for (size_t j = 0; j < data.micro_batches.size(); ++j) {
    const MicroBatch& micro_batch = data.micro_batches[j];
    if (j % static_cast<size_t>(ranks_->size()) == static_cast<size_t>(ranks_->rank())) {
      sums.add(forward_backward(*decoder_, batch_of(micro_batch), options), first_sample);
    }
    first_sample += static_cast<int64_t>(micro_batch.examples.size());
  }
  return sums;
}

// Without a single weight there is no gradient either, and 0 stays 0.
void TrainingStep::divide_by_weights(const StepSums& sums, double count) {
  const auto weight = sums.weight_sum();
  const auto factor = torch::where(weight > 0, count / weight, torch::zeros_like(weight));
  decoder_->trained().gradient().mul_(factor);
}

StepMetrics TrainingStep::run(const StepData& data, double progress, bool signalled) {
  const int64_t tokens = supervised(data);
  const bool by_samples = settings_.loss_denominator == LossDenominator::kSamples;
  const auto count =
      static_cast<double>(by_samples ? static_cast<int64_t>(data.samples()) : std::max<int64_t>(1, tokens));
  ForwardBackwardOptions pass = options(progress);
  pass.gradient_scale = 1 / count;
  StepSums sums = run_micro_batches(data, pass);
  if (signalled) sums.add_signal();

  const torch::NoGradGuard no_gradient;
  torch::Tensor& gradient = decoder_->trained().gradient();
  ranks_->all_reduce_sum(gradient, "the sum of gradients");
  ranks_->all_reduce_sum(sums.tensor(), "the sum of metrics");
  const bool by_weights = settings_.loss_denominator == LossDenominator::kWeights;
  if (by_weights) divide_by_weights(sums, count);
  StepMetrics metrics = sums.read(clip_gradient(gradient, settings_.max_gradient_norm));

  metrics.tokens = static_cast<int64_t>(data.tokens());
  metrics.supervised = tokens;
  const double divisor = by_weights ? metrics.weight_sum : count;
  metrics.loss = divisor > 0 ? metrics.loss_sum / divisor : metrics.loss_sum;
  return metrics;
}

std::vector<OffendingRow> TrainingStep::offending_rows(const StepData& data, double progress, size_t most) {
  std::vector<OffendingRow> own;
  const auto micro_batches =
      micro_batches_of_rank(data, static_cast<size_t>(ranks_->rank()), static_cast<size_t>(ranks_->size()));
  for (const MicroBatch& micro_batch : micro_batches) {
    std::vector<const data::Example*> examples;
    for (const size_t index : micro_batch.examples) examples.push_back(&examples_->at(index));
    const TrainingBatch batch = batch_of(micro_batch);
    const objective::ObjectiveResult result = evaluate(*decoder_, batch, options(progress));
    for (OffendingRow& row : losses_of_samples(result.row_loss, batch.rows, examples)) {
      own.push_back(std::move(row));
    }
  }
  std::vector<OffendingRow> all = gathered(*ranks_, own);
  std::stable_sort(all.begin(), all.end(), is_worse);
  const auto finite =
      std::find_if(all.begin(), all.end(), [](const OffendingRow& row) { return std::isfinite(row.loss); });
  const auto bad = static_cast<size_t>(finite - all.begin());
  all.resize(std::min(all.size(), bad > 0 ? bad : most));
  return all;
}

}  // namespace cuset::train
