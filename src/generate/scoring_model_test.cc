#include "generate/scoring_model.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include "base/files/temporary_folder.h"
#include "base/log.h"
#include "base/stats/random.h"
#include "model/decoder.h"
#include "model/model_folder.h"
#include "ops/linear_cross_entropy.h"
#include "support/tiny_model.h"

namespace cuset::generate {
namespace {

constexpr int64_t kVocab = 300;

// A folder with random weights, and an adapter whose values are not zero.
class ScoringModelTest : public testing::Test {
 protected:
  void SetUp() override {
    threads_ = torch::get_num_threads();
    torch::set_num_threads(1);
    base::set_log_level(base::LogLevel::kSilent);
    const base::Json config = support::tiny_model_config(kVocab, {{"initializer_range", 0.3}});
    std::filesystem::create_directories(folder_ / "source");
    base::write_json_file(folder_ / "source/config.json", config);
    const model::ModelConfig parsed = model::model_config_from_json(config, "config.json");
    model::save_model_folder(
        folder_ / "model",
        model::random_model_weights(parsed, {torch::kFloat32, torch::kCPU}, base::RandomStream(1, "weights")),
        {.source = folder_ / "source"});
    options_.folder = folder_ / "model";
    options_.placement.device = "cpu";
  }
  void TearDown() override {
    torch::set_num_threads(threads_);
    base::set_log_level(base::LogLevel::kInfo);
  }

  model::Decoder decoder() const {
    const model::ModelConfig config = model::read_model_config(options_.folder);
    return {config, model::load_model_weights(options_.folder, config, {torch::kFloat32, torch::kCPU})};
  }

  void write_random_adapter() {
    model::Decoder made = decoder();
    made.add_adapter({.rank = 2, .alpha = 8}, base::RandomStream(1, "adapter"));
    base::RandomStream stream(2, "values");
    const torch::NoGradGuard no_gradient;
    for (int64_t i = 0; i < made.trained().size(); ++i)
      made.trained().master()[i].add_(0.3 * stream.normal());
    made.trained().refresh_compute();
    model::write_adapter(folder_ / "adapter", made.adapter("base"));
    options_.adapter = folder_ / "adapter";
  }

  int threads_ = 1;
  base::TemporaryFolder folder_;
  ScoringModelOptions options_;
};

struct Sequence {
  std::vector<uint32_t> ids;
  std::vector<uint8_t> is_wanted;
};

std::vector<Sequence> random_sequences() {
  base::RandomStream stream(3, "sequences");
  std::vector<Sequence> sequences(5);
  for (Sequence& sequence : sequences) {
    const size_t length = 1 + stream.below(60);
    for (size_t i = 0; i < length; ++i) {
      sequence.ids.push_back(static_cast<uint32_t>(stream.below(kVocab)));
      sequence.is_wanted.push_back(stream.below(3) > 0 ? 1 : 0);
    }
  }
  return sequences;
}

// From full logits of the sequence alone, in float64.
std::vector<double> reference(model::Decoder& decoder, const Sequence& sequence) {
  const torch::NoGradGuard no_gradient;
  const std::vector<int64_t> ids(sequence.ids.begin(), sequence.ids.end());
  const auto hidden = decoder.hidden(model::make_token_batch({ids}, torch::kCPU), {});
  const auto p = ops::head_logits(hidden, decoder.head().value).to(torch::kFloat64).softmax(-1);
  std::vector<double> wanted;
  for (size_t i = 1; i < ids.size(); ++i) {
    if (sequence.is_wanted[i] != 0) wanted.push_back(p[static_cast<int64_t>(i) - 1][ids[i]].item<double>());
  }
  return wanted;
}

void expect_equal(ScoringModel& model, model::Decoder& decoder) {
  const std::vector<Sequence> sequences = random_sequences();
  std::vector<ScoredSequence> pack;
  for (const Sequence& sequence : sequences) pack.push_back({sequence.ids, sequence.is_wanted});
  const std::vector<std::vector<float>> found = model.probabilities(pack);
  ASSERT_EQ(found.size(), sequences.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const std::vector<double> wanted = reference(decoder, sequences[i]);
    ASSERT_EQ(found[i].size(), wanted.size());
    for (size_t t = 0; t < wanted.size(); ++t) {
      EXPECT_NEAR(found[i][t], wanted[t], 1e-7 + 1e-4 * wanted[t]) << i << " " << t;
    }
  }
}

TEST_F(ScoringModelTest, PackedSequencesEqualEachAloneFromFullLogits) {
  ScoringModel model(options_);
  EXPECT_EQ(model.vocabulary(), kVocab);
  model::Decoder alone = decoder();
  expect_equal(model, alone);
}

TEST_F(ScoringModelTest, AdapterTakesPart) {
  write_random_adapter();
  ScoringModel model(options_);
  model::Decoder alone = decoder();
  const model::Adapter adapter = model::read_adapter(options_.adapter, alone.config());
  alone.add_adapter(adapter.settings, base::RandomStream(0, "adapter"));
  alone.load_adapter(adapter);
  expect_equal(model, alone);
}

TEST_F(ScoringModelTest, NothingWantedGivesNothing) {
  ScoringModel model(options_);
  const std::vector<uint32_t> ids = {1, 2};
  const std::vector<uint8_t> first_only = {1, 0};
  const std::vector<ScoredSequence> sequences = {{ids, first_only}};
  EXPECT_EQ(model.probabilities(sequences), (std::vector<std::vector<float>>{{}}));
}

TEST_F(ScoringModelTest, PositionsAreThoseOfTheConfiguration) {
  EXPECT_EQ(positions_of_model(options_.folder), 256);
}

}  // namespace
}  // namespace cuset::generate
