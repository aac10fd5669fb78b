// A decoder of a few thousand weights and a handful of examples, for tests of training.
#pragma once

#include <gtest/gtest.h>
#include <torch/utils.h>

#include <limits>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/stats/random.h"
#include "data/example.h"
#include "model/decoder.h"
#include "model/model_folder.h"
#include "support/tiny_model.h"

namespace cuset::support {

inline constexpr int64_t kTinyVocab = 61;
inline constexpr uint32_t kPoison = kTinyVocab - 1;

inline base::Json tiny_training_config() {
  return tiny_model_config(kTinyVocab, {{"architectures", {"Qwen3ForCausalLM"}},
                                        {"model_type", "qwen3"},
                                        {"head_dim", 8},
                                        {"max_position_embeddings", 128},
                                        {"tie_word_embeddings", false}});
}

// One thread: so small a model gains nothing from more, and loses much on a busy machine.
class TinyTraining : public testing::Test {
 protected:
  void SetUp() override {
    threads_ = torch::get_num_threads();
    torch::set_num_threads(1);
    base::set_log_level(base::LogLevel::kSilent);
  }
  void TearDown() override {
    torch::set_num_threads(threads_);
    base::set_log_level(base::LogLevel::kInfo);
  }

 private:
  int threads_ = 1;
};

// With all weights trained, or with an adapter whose B is not zero, so that every gradient differs from zero.
// The embedding of kPoison, which no example has by itself, is not a number.
inline model::Decoder tiny_decoder(bool full = false) {
  const model::ModelConfig config = model::model_config_from_json(tiny_training_config(), "config.json");
  std::vector<model::NamedTensor> weights =
      model::random_model_weights(config, {torch::kFloat32, torch::kCPU}, base::RandomStream(1, "weights"));
  for (model::NamedTensor& weight : weights) {
    if (weight.tensor.dim() > 1) weight.tensor.mul_(10);
    if (weight.name == "model.embed_tokens.weight") {
      weight.tensor[kPoison].fill_(std::numeric_limits<float>::quiet_NaN());
    }
  }
  model::Decoder decoder(config, std::move(weights));
  if (full) {
    decoder.train_all();
    return decoder;
  }
  decoder.add_adapter({.rank = 4, .alpha = 8, .dropout = 0.1}, base::RandomStream(1, "adapter"));
  model::TrainedParameters& trained = decoder.trained();
  base::RandomStream stream(2, "values");
  const torch::NoGradGuard no_gradient;
  for (int64_t i = 0; i < trained.size(); ++i) trained.master()[i].add_(0.05 * stream.normal());
  trained.refresh_compute();
  return decoder;
}

// `count` examples of 6 to 30 tokens, of which the second half is learned.
inline std::vector<data::Example> tiny_examples(size_t count, uint64_t seed = 1) {
  std::vector<data::Example> examples;
  base::RandomStream stream(seed, "examples");
  for (size_t n = 0; n < count; ++n) {
    data::Example example;
    const size_t length = 6 + stream.below(25);
    for (size_t i = 0; i < length; ++i) {
      example.ids.push_back(static_cast<uint32_t>(stream.below(kPoison)));
      example.is_label.push_back(i >= length / 2 ? 1 : 0);
      example.is_cuda.push_back(i >= length / 2 && stream.below(2) == 0 ? 1 : 0);
    }
    example.weight = 0.5 + stream.uniform();
    example.place = "data.jsonl:" + std::to_string(n + 1);
    examples.push_back(std::move(example));
  }
  return examples;
}

}  // namespace cuset::support
