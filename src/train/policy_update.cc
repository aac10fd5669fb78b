#include "train/policy_update.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "ops/linear_cross_entropy.h"
#include "train/forward_backward.h"
#include "train/optimizer.h"

namespace cuset::train {
namespace {

TrainingBatch batch_of_pack(std::span<PolicyExample> pack, torch::Device device) {
  std::vector<const data::Example*> examples;
  for (const PolicyExample& example : pack) examples.push_back(&example.tokens);
  return make_training_batch(examples, {}, device);
}

size_t completion_tokens(const PolicyExample& example) { return example.sampler_log_probability.size(); }

objective::PolicyStepSize step_size(std::span<const PolicyExample> examples) {
  objective::PolicyStepSize size{.completions = std::ssize(examples)};
  for (const PolicyExample& example : examples) {
    if (!example.is_masked) size.active_tokens += static_cast<int64_t>(completion_tokens(example));
  }
  return size;
}

ops::Parameter rows_of(const ops::Parameter& head, int64_t vocabulary) {
  const auto first = [&](const torch::Tensor& x) {
    return x.defined() ? x.narrow(0, 0, std::min(vocabulary, x.size(0))) : x;
  };
  return {first(head.value), first(head.gradient)};
}

// Those of all examples of a pack, one after another.
torch::Tensor joined(std::span<PolicyExample> pack, torch::Tensor PolicyExample::* member,
                     torch::Device device) {
  std::vector<torch::Tensor> parts;
  for (const PolicyExample& example : pack) parts.push_back(example.*member);
  return torch::cat(parts).to(device);
}

void keep(std::span<PolicyExample> pack, torch::Tensor PolicyExample::* member, const torch::Tensor& rows) {
  const auto host = rows.to(torch::kCPU);
  int64_t begin = 0;
  for (PolicyExample& example : pack) {
    const auto count = static_cast<int64_t>(completion_tokens(example));
    example.*member = host.narrow(0, begin, count).clone();
    begin += count;
  }
}

objective::PolicyRows policy_rows(std::span<PolicyExample> pack, const TrainingBatch& batch,
                                  torch::Device device) {
  std::vector<float> sampler;
  std::vector<double> advantages;
  std::vector<uint8_t> masked;
  for (const PolicyExample& example : pack) {
    sampler.insert(sampler.end(), example.sampler_log_probability.begin(),
                   example.sampler_log_probability.end());
    advantages.push_back(example.advantage);
    masked.push_back(example.is_masked ? 1 : 0);
  }
  objective::PolicyRows rows;
  rows.borders = batch.rows.borders;
  rows.sampler_log_probability = torch::tensor(sampler, torch::kFloat32).to(device);
  rows.advantages = torch::tensor(advantages, torch::kFloat64).to(device);
  rows.is_masked = torch::tensor(masked, torch::kUInt8).to(torch::kBool).to(device);
  return rows;
}

}  // namespace

PolicyExample make_policy_example(std::span<const int64_t> prompt, std::span<const int64_t> completion) {
  CUSET_CHECK(!prompt.empty(), "a completion without a prompt");
  PolicyExample example;
  data::Example& tokens = example.tokens;
  for (const std::span<const int64_t> part : {prompt, completion}) {
    for (const int64_t id : part) tokens.ids.push_back(static_cast<uint32_t>(id));
  }
  tokens.is_label.assign(prompt.size(), 0);
  tokens.is_label.resize(tokens.ids.size(), 1);
  tokens.is_cuda.resize(tokens.ids.size(), 0);
  return example;
}

bool PolicyMetrics::is_finite() const { return std::isfinite(loss) && std::isfinite(gradient_norm); }

// On the device, so that packs do not wait for each other.
struct PolicyUpdate::Sums {
  torch::Tensor values =
      torch::Tensor();  // loss, k3, entropy, low, high, ratio, correction, mismatch, active
  torch::Tensor largest_mismatch = torch::Tensor();
  int64_t tokens = 0;

  void add(const torch::Tensor& of_pack, const torch::Tensor& mismatch) {
    values = values.defined() ? values + of_pack : of_pack;
    largest_mismatch = largest_mismatch.defined() ? torch::maximum(largest_mismatch, mismatch) : mismatch;
  }
};

PolicyUpdate::PolicyUpdate(model::Decoder& decoder, const PolicyUpdateSettings& settings)
    : decoder_(&decoder), settings_(settings) {}

void PolicyUpdate::add_pack(std::span<PolicyExample> pack, const objective::PolicyStepSize& step,
                            Sums& sums) {
  const torch::Device device = decoder_->device();
  const TrainingBatch batch = batch_of_pack(pack, device);
  const ops::Parameter head = rows_of(decoder_->head(), settings_.vocabulary);
  ops::LinearCrossEntropyOptions options;
  options.temperature = settings_.temperature;
  objective::PolicyRows rows = policy_rows(pack, batch, device);
  const bool is_first = !pack.front().old_log_probability.defined();
  if (is_first && settings_.policy.needs_reference()) {
    const torch::NoGradGuard no_gradient;
    model::ForwardOptions forward;
    forward.adapter = false;
    const auto reference = decoder_->hidden(batch.tokens, forward).index_select(0, batch.rows.positions);
    options.gradient = false;
    keep(pack, &PolicyExample::reference_log_probability,
         ops::linear_cross_entropy(reference, head.value, batch.rows.targets, options).log_probability);
  }
  std::optional<SamplerPass> pass;
  if (settings_.sampler_pass) pass = settings_.sampler_pass(pack);
  model::ForwardOptions forward;
  forward.recompute = settings_.recompute;
  forward.states = pass ? &pass->states : nullptr;
  const auto hidden = decoder_->hidden(batch.tokens, forward);

  const torch::NoGradGuard no_gradient;
  options.gradient = true;
  options.entropy = true;
  options.entropy_tokens = 0;
  const auto selected = hidden.detach().index_select(0, batch.rows.positions);
  ops::LinearCrossEntropy metrics =
      ops::linear_cross_entropy(selected, head.value, batch.rows.targets, options);
  if (pass) metrics.log_probability = pass->log_probability;
  if (is_first) keep(pack, &PolicyExample::old_log_probability, metrics.log_probability);
  rows.old_log_probability = joined(pack, &PolicyExample::old_log_probability, device);
  if (settings_.policy.needs_reference()) {
    rows.reference_log_probability = joined(pack, &PolicyExample::reference_log_probability, device);
  }
  const objective::PolicyLoss loss =
      objective::policy_loss(settings_.policy, metrics.log_probability, rows, step);
  const auto weights = loss.row_weight.to(metrics.hidden_gradient.scalar_type());
  const auto gradient = torch::zeros_like(hidden).index_copy_(0, batch.rows.positions,
                                                              metrics.hidden_gradient * weights.unsqueeze(1));
  if (head.is_trained()) {
    ops::add_head_weight_gradient(selected, head, batch.rows.targets,
                                  {loss.row_weight.to(metrics.log_probability.scalar_type())}, options);
  }
  {
    const torch::AutoGradMode with_gradient(true);
    hidden.backward(gradient);
  }
  const auto is_active =
      rows.is_masked.logical_not().repeat_interleave(torch::tensor(batch.rows.borders).diff().to(device));
  const auto active = [&](const torch::Tensor& x) {
    return torch::where(is_active, x.to(torch::kFloat64), torch::zeros_like(x, torch::kFloat64));
  };
  const auto mismatch = active((rows.old_log_probability - rows.sampler_log_probability).abs());
  sums.add(torch::stack({loss.loss, loss.divergence_sum, active(metrics.entropy).sum(), loss.clipped_low_sum,
                         loss.clipped_high_sum, loss.ratio_sum, loss.correction_sum, mismatch.sum(),
                         loss.active_tokens}),
           mismatch.max());
  sums.tokens += batch.tokens.ids.numel();
}

PolicyMetrics PolicyUpdate::run(std::span<PolicyExample> examples) {
  CUSET_CHECK(!examples.empty(), "an update without completions");
  const objective::PolicyStepSize step = step_size(examples);
  decoder_->trained().zero_gradient();
  Sums sums;
  for (size_t begin = 0; begin < examples.size();) {
    size_t end = begin;
    size_t tokens = 0;
    while (end < examples.size() &&
           (end == begin || (tokens + examples[end].tokens.ids.size() <= settings_.pack_tokens &&
                             (settings_.pack_examples == 0 || end - begin < settings_.pack_examples)))) {
      tokens += examples[end++].tokens.ids.size();
    }
    add_pack(examples.subspan(begin, end - begin), step, sums);
    begin = end;
  }
  const torch::NoGradGuard no_gradient;
  const auto norm = clip_gradient(decoder_->trained().gradient(), settings_.max_gradient_norm);
  const auto values = sums.values.to(torch::kCPU).contiguous();
  const double* sum = values.data_ptr<double>();
  const double active = std::max(1.0, sum[8]);
  return {.loss = sum[0],
          .gradient_norm = norm.item<double>(),
          .divergence = sum[1] / active,
          .entropy = sum[2] / active,
          .clipped_low = sum[3] / active,
          .clipped_high = sum[4] / active,
          .ratio = sum[5] / active,
          .correction = sum[6] / active,
          .mismatch_mean = sum[7] / active,
          .mismatch_max = sums.largest_mismatch.item<double>(),
          .active_tokens = static_cast<int64_t>(sum[8]),
          .tokens = sums.tokens};
}

}  // namespace cuset::train
