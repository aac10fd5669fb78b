#include "train/policy_update.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tiny_training.h"
#include "train/optimizer.h"

namespace cuset::train {
namespace {

constexpr int64_t kVocabulary = 50;  // fewer than the head has rows
constexpr double kTemperature = 0.7;

PolicyUpdateSettings settings_of(objective::LossType type = objective::LossType::kDapo) {
  PolicyUpdateSettings settings;
  settings.policy.loss_type = type;
  settings.policy.importance_sampling_mode = objective::MismatchCorrection::kTokenTruncate;
  settings.policy.beta = 0.1;
  settings.temperature = kTemperature;
  settings.vocabulary = kVocabulary;
  settings.max_gradient_norm = 0;
  return settings;
}

std::vector<PolicyExample> examples() {
  base::RandomStream random(5, "completions");
  std::vector<PolicyExample> all;
  for (const size_t length : {7, 3, 12, 1}) {
    std::vector<int64_t> prompt, completion;
    for (size_t i = 0; i < 4; ++i) prompt.push_back(static_cast<int64_t>(random.below(kVocabulary)));
    for (size_t i = 0; i < length; ++i) completion.push_back(static_cast<int64_t>(random.below(kVocabulary)));
    all.push_back(make_policy_example(prompt, completion));
    for (size_t i = 0; i < length; ++i)
      all.back().sampler_log_probability.push_back(static_cast<float>(-4 * random.uniform()));
    all.back().advantage = random.normal();
  }
  all[1].is_masked = true;
  return all;
}

// [completion] of one example, over full logits and with autograd.
torch::Tensor log_probabilities(model::Decoder& decoder, const PolicyExample& example, bool adapter) {
  std::vector<int64_t> ids(example.tokens.ids.begin(), example.tokens.ids.end());
  model::ForwardOptions forward;
  forward.adapter = adapter;
  const auto hidden = decoder.hidden(model::make_token_batch({ids}, torch::kCPU), forward);
  const auto head = decoder.head().value.narrow(0, 0, kVocabulary);
  const auto log_p = (hidden.matmul(head.t()) / kTemperature).log_softmax(1);
  const auto count = std::ssize(example.sampler_log_probability);
  const int64_t first = std::ssize(ids) - count;
  const auto targets = torch::tensor(std::vector<int64_t>(ids.begin() + first, ids.end()));
  return log_p.narrow(0, first - 1, count).gather(1, targets.unsqueeze(1)).squeeze(1);
}

// DAPO's loss, written out; `old` and `reference` of every example.
torch::Tensor plain_gradient(model::Decoder& decoder, const std::vector<PolicyExample>& all) {
  decoder.trained().zero_gradient();
  double tokens = 0;
  for (const PolicyExample& example : all) {
    if (!example.is_masked) tokens += static_cast<double>(example.sampler_log_probability.size());
  }
  for (const PolicyExample& example : all) {
    if (example.is_masked) continue;
    const auto log_p = log_probabilities(decoder, example, true);
    const auto ratio = (log_p - example.old_log_probability).exp();
    const auto policy = -torch::minimum(ratio * example.advantage, ratio.clamp(0.8, 1.2) * example.advantage);
    const auto correction =
        (example.old_log_probability - torch::tensor(example.sampler_log_probability)).exp().clamp_max(3);
    const auto behind = example.reference_log_probability - log_p;
    ((policy * correction + 0.1 * (behind.exp() - behind - 1)).sum() / tokens).backward();
  }
  return decoder.trained().gradient().clone();
}

class PolicyUpdateTest : public support::TinyTraining {};

TEST_F(PolicyUpdateTest, GradientIsThatOfTheLossOverFullLogits) {
  model::Decoder decoder = support::tiny_decoder();
  std::vector<PolicyExample> all = examples();
  PolicyUpdate update(decoder, settings_of());
  Optimizer optimizer(decoder.trained(), {});
  for (int iteration = 0; iteration < 3; ++iteration) {
    const PolicyMetrics metrics = update.run(all);
    const torch::Tensor found = decoder.trained().gradient().clone();
    const torch::Tensor wanted = plain_gradient(decoder, all);
    EXPECT_LT(((found - wanted).norm() / wanted.norm()).item<double>(), 1e-4) << iteration;
    EXPECT_GT(wanted.norm().item<double>(), 0);
    EXPECT_TRUE(metrics.is_finite());
    EXPECT_EQ(metrics.active_tokens, 20);
    EXPECT_EQ(metrics.ratio == 1, iteration == 0) << "then the policy is still the one that wrote";
    decoder.trained().gradient().copy_(found);
    optimizer.step(0.01);
  }
}

TEST_F(PolicyUpdateTest, OldAndReferenceAreThoseOfTheFirstUpdate) {
  model::Decoder decoder = support::tiny_decoder();
  std::vector<PolicyExample> all = examples();
  const auto old = log_probabilities(decoder, all[2], true).detach();
  const auto reference = log_probabilities(decoder, all[2], false).detach();
  PolicyUpdate update(decoder, settings_of());
  const PolicyMetrics metrics = update.run(all);
  EXPECT_TRUE(all[2].old_log_probability.allclose(old, 1e-4, 1e-4));
  EXPECT_TRUE(all[2].reference_log_probability.allclose(reference, 1e-4, 1e-4));
  double largest = 0;
  for (const PolicyExample& example : all) {
    if (example.is_masked) continue;
    const auto difference = example.old_log_probability - torch::tensor(example.sampler_log_probability);
    largest = std::max(largest, difference.abs().max().item<double>());
  }
  EXPECT_NEAR(metrics.mismatch_max, largest, 1e-6);
  EXPECT_GT(metrics.entropy, 0);
}

TEST_F(PolicyUpdateTest, PacksDoNotChangeTheGradient) {
  for (const objective::LossType type : {objective::LossType::kGrpo, objective::LossType::kGspo}) {
    std::vector<torch::Tensor> gradients;
    for (const size_t most : {1, 2, 0}) {
      model::Decoder decoder = support::tiny_decoder();
      PolicyUpdateSettings settings = settings_of(type);
      settings.pack_examples = most;
      std::vector<PolicyExample> all = examples();
      PolicyUpdate(decoder, settings).run(all);
      gradients.push_back(decoder.trained().gradient().clone());
    }
    EXPECT_TRUE(gradients[0].allclose(gradients[1], 1e-4, 1e-6));
    EXPECT_TRUE(gradients[0].allclose(gradients[2], 1e-4, 1e-6));
  }
}

}  // namespace
}  // namespace cuset::train
