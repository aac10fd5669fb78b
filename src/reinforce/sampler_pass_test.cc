#include "reinforce/sampler_pass.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "generate/sampling.h"
#include "support/tiny_training.h"
#include "train/optimizer.h"

namespace cuset::reinforce {
namespace {

constexpr int64_t kVocabulary = 50;  // fewer than the head has rows
constexpr double kTemperature = 0.7;

std::vector<model::NamedTensor> tiny_weights(const model::ModelConfig& config) {
  auto weights =
      model::random_model_weights(config, {torch::kFloat32, torch::kCPU}, base::RandomStream(1, "weights"));
  for (model::NamedTensor& weight : weights) {
    if (weight.tensor.dim() > 1) weight.tensor.mul_(10);
  }
  return weights;
}

// A policy and the sampler of its answers.
class SamplerPassTest : public support::TinyTraining {
 protected:
  SamplerPassTest() {
    decoder_.add_adapter({.rank = 4, .alpha = 8}, base::RandomStream(1, "adapter"));
    change_adapter(2);
    options_ = {.adapter = sampler_.add_adapter(decoder_.adapter("")),
                .vocabulary = kVocabulary,
                .temperature = kTemperature};
  }

  void change_adapter(uint64_t seed) {
    base::RandomStream stream(seed, "values");
    const torch::NoGradGuard no_gradient;
    model::TrainedParameters& trained = decoder_.trained();
    for (int64_t i = 0; i < trained.size(); ++i) trained.master()[i].add_(0.05 * stream.normal());
    trained.refresh_compute();
  }

  // Answers of several lengths, written token by token side by side.
  std::vector<train::PolicyExample> write_answers() {
    const std::vector<size_t> prompts = {4, 1, 7}, lengths = {9, 3, 1};
    std::vector<std::vector<int64_t>> ids(prompts.size());
    std::vector<std::vector<float>> log_p(prompts.size());
    base::RandomStream random(5, "answers");
    for (size_t i = 0; i < prompts.size(); ++i) {
      sampler_.begin(static_cast<int64_t>(i), options_.adapter);
      while (ids[i].size() < prompts[i]) ids[i].push_back(static_cast<int64_t>(random.below(kVocabulary)));
    }
    for (size_t step = 0; step < *std::ranges::max_element(lengths); ++step) {
      std::vector<model::SequenceExtension> rows;
      std::vector<size_t> open;
      for (size_t i = 0; i < ids.size(); ++i) {
        if (step >= lengths[i]) continue;
        const auto all = std::span(std::as_const(ids[i]));
        rows.push_back({static_cast<int64_t>(i), step == 0 ? all : all.last(1)});
        open.push_back(i);
      }
      const auto logits = sampler_.extend(rows).narrow(1, 0, kVocabulary);
      std::vector<generate::SamplingRow> draws(open.size());
      for (generate::SamplingRow& draw : draws) {
        draw.settings.temperature = kTemperature;
        draw.settings.top_p = 0.9;
        draw.draw = random.uniform();
        draw.wants_log_probability = true;
      }
      const auto tokens = generate::sample_tokens(logits, draws);
      for (size_t k = 0; k < open.size(); ++k) {
        ids[open[k]].push_back(tokens[k].id);
        log_p[open[k]].push_back(tokens[k].log_probability);
      }
    }
    std::vector<train::PolicyExample> answers;
    for (size_t i = 0; i < ids.size(); ++i) {
      const auto all = std::span(std::as_const(ids[i]));
      answers.push_back(train::make_policy_example(all.first(prompts[i]), all.subspan(prompts[i])));
      answers.back().sampler_log_probability = log_p[i];
      answers.back().advantage = i == 1 ? -1.5 : 1;
    }
    return answers;
  }

  train::PolicyUpdateSettings settings(bool shared) {
    train::PolicyUpdateSettings settings;
    settings.temperature = kTemperature;
    settings.vocabulary = kVocabulary;
    settings.max_gradient_norm = 0;
    if (shared) {
      settings.sampler_pass = [this](std::span<const train::PolicyExample> pack) {
        return run_sampler_pass(sampler_, options_, pack);
      };
    }
    return settings;
  }

  model::ModelConfig config_ = model::model_config_from_json(support::tiny_training_config(), "config.json");
  model::Decoder decoder_{config_, tiny_weights(config_)};
  model::InferenceModel sampler_{config_, tiny_weights(config_), {.slots = 3, .positions = 32}};
  SamplerPassOptions options_;
};

TEST_F(SamplerPassTest, LogProbabilitiesAreTheSamplersToTheBit) {
  const std::vector<train::PolicyExample> answers = write_answers();
  std::vector<float> wanted;
  for (const train::PolicyExample& answer : answers)
    wanted.insert(wanted.end(), answer.sampler_log_probability.begin(), answer.sampler_log_probability.end());
  const torch::Tensor found = run_sampler_pass(sampler_, options_, answers).log_probability;
  EXPECT_TRUE(found.equal(torch::tensor(wanted))) << found << torch::tensor(wanted);
}

TEST_F(SamplerPassTest, MoreAnswersThanSlotsComeInTheirOrder) {
  const std::vector<train::PolicyExample> few = write_answers();
  std::vector<train::PolicyExample> many = few;
  many.insert(many.end(), few.begin(), few.end());
  const train::SamplerPass once = run_sampler_pass(sampler_, options_, few);
  const train::SamplerPass twice = run_sampler_pass(sampler_, options_, many);
  EXPECT_TRUE(twice.log_probability.equal(torch::cat({once.log_probability, once.log_probability})));
  for (size_t layer = 0; layer < once.states.size(); ++layer)
    EXPECT_TRUE(twice.states[layer].equal(torch::cat({once.states[layer], once.states[layer]}))) << layer;
}

TEST_F(SamplerPassTest, GradientIsThatOfTheDecodersOwnPass) {
  std::vector<train::PolicyExample> own = write_answers(), shared = own;
  train::PolicyUpdate own_update(decoder_, settings(false)), shared_update(decoder_, settings(true));
  train::Optimizer optimizer(decoder_.trained(), {});
  for (int iteration = 0; iteration < 2; ++iteration) {
    const train::PolicyMetrics own_metrics = own_update.run(own);
    const torch::Tensor wanted = decoder_.trained().gradient().clone();
    sampler_.replace_adapter(options_.adapter, decoder_.adapter(""));
    const train::PolicyMetrics metrics = shared_update.run(shared);
    const torch::Tensor found = decoder_.trained().gradient();
    EXPECT_GT(wanted.norm().item<double>(), 0);
    EXPECT_LT(((found - wanted).norm() / wanted.norm()).item<double>(), 1e-4) << iteration;
    EXPECT_NEAR(metrics.loss, own_metrics.loss, 1e-4 * std::abs(own_metrics.loss));
    EXPECT_EQ(metrics.mismatch_max, 0);
    EXPECT_GT(own_metrics.mismatch_max, 0) << "the decoder's products are added in another order";
    EXPECT_EQ(metrics.ratio == 1, iteration == 0);
    optimizer.step(0.01);
  }
}

}  // namespace
}  // namespace cuset::reinforce
