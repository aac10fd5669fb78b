// Shares of unlikely tokens against the probabilities of the model itself (generate/scoring_model_test.cc).
#include "study/row_confidence.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/log.h"
#include "data/example.h"
#include "support/tiny_model.h"

namespace cuset::study {
namespace {

class RowConfidence : public testing::Test {
 protected:
  void SetUp() override {
    base::set_log_level(base::LogLevel::kSilent);
    model_.write_config({{"intermediate_size", 64}, {"max_position_embeddings", 400}});
    model_.write_weights();
    options_.folder = model_.path();
    options_.placement = {.device = "cpu", .dtype = "float32", .threads = 1};
    for (int i = 0; i < 3; ++i) {
      const std::string kernel =
          fmt::format("__global__ void f{0}(int* x) {{ x[threadIdx.x] = {0}; }}", 7 * i);
      samples_.push_back(
          data::sample_from_record({{"prompt", "p"}, {"response", kernel}}, fmt::format("row {}", i)));
    }
  }
  void TearDown() override { base::set_log_level(base::LogLevel::kInfo); }

  // The p of a response's tokens, from the model alone.
  std::vector<float> confidences(const data::Sample& sample) const {
    const data::Example example = data::ExampleBuilder::from_model_folder(options_.folder).build(sample);
    generate::ScoringModel model(options_);
    const std::vector<generate::ScoredSequence> sequences = {{example.ids, example.is_label}};
    return model.probabilities(sequences).at(0);
  }

  support::TinyModelFolder model_;
  generate::ScoringModelOptions options_;
  std::vector<data::Sample> samples_;
  base::TemporaryFolder folder_;
};

TEST_F(RowConfidence, CountsTheResponsesUnlikelyTokens) {
  std::vector<float> all = confidences(samples_[0]);
  std::sort(all.begin(), all.end());
  const double tau = all[all.size() / 3];
  const auto shares = unlikely_shares(options_, tau, samples_, folder_ / "confidences.jsonl");
  ASSERT_TRUE(shares);
  ASSERT_EQ(shares->size(), samples_.size());
  for (size_t i = 0; i < samples_.size(); ++i) {
    const std::vector<float> p = confidences(samples_[i]);
    const auto unlikely = std::count_if(p.begin(), p.end(), [&](float value) { return value <= tau; });
    EXPECT_GT(unlikely, 0);
    EXPECT_NEAR((*shares)[i] * static_cast<double>(p.size()), static_cast<double>(unlikely), 1.5)
        << "tokens at tau itself may fall to either side";
  }
}

TEST_F(RowConfidence, WhatIsKnownNeedsNoModel) {
  const auto file = folder_ / "confidences.jsonl";
  const auto shares = unlikely_shares(options_, 0.01, samples_, file);
  std::filesystem::remove(model_.path() / "model.safetensors");
  EXPECT_EQ(unlikely_shares(options_, 0.01, samples_, file), shares);
}

TEST_F(RowConfidence, APromptThatFillsTheContextLeavesTheRowUnread) {
  std::string words;
  for (int i = 0; i < 500; ++i) words += " x" + std::to_string(i);
  samples_[1].messages[0]["content"] = words;
  const auto shares = unlikely_shares(options_, 1, samples_, folder_ / "confidences.jsonl");
  EXPECT_EQ(shares, (std::vector<double>{1, 0, 1}));
}

TEST_F(RowConfidence, TheKeyFollowsTheWeights) {
  const std::string key = key_of_reader(options_);
  EXPECT_EQ(key_of_reader(options_), key);
  std::string weights = base::read_file(model_.path() / "model.safetensors");
  weights.back() = static_cast<char>(weights.back() ^ 1);
  base::write_file_atomic(model_.path() / "model.safetensors", weights);
  EXPECT_NE(key_of_reader(options_), key);
}

}  // namespace
}  // namespace cuset::study
