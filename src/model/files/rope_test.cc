#include "model/files/rope.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace cuset::model {
namespace {

using Values = std::vector<double>;

// Read from a file of a model with 131,072 positions that holds `rope_scaling`, and `changes` beside it.
Rope rope_of(const base::Json& scaling, const base::Json& changes = base::Json::object()) {
  base::Json config = {{"rope_theta", 1e6}, {"rope_scaling", scaling}};
  config.update(changes);
  return read_rope(base::JsonCursor(config, "config.json"), 131072);
}

void expect_near(const Values& values, const Values& wanted) {
  ASSERT_EQ(values.size(), wanted.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i] / wanted[i], 1, 1e-14) << i;
}

TEST(Rope, PlainAndLinearFrequencies) {
  expect_near(scaled_frequencies({.theta = 10000}, 4), {1.0, 0.01});
  const RopeScaling linear{.kind = RopeScaling::Kind::kLinear, .factor = 4};
  expect_near(scaled_frequencies({10000, linear}, 4), {0.25, 0.0025});
}

// Written from the published formula in wavelengths, in another form than ours.
TEST(Rope, Llama3KeepsShortWavesAndSlowsLongOnes) {
  const Rope rope = rope_of({{"rope_type", "llama3"},
                             {"factor", 8.0},
                             {"low_freq_factor", 1.0},
                             {"high_freq_factor", 4.0},
                             {"original_max_position_embeddings", 8192}});
  Values wanted;
  for (int i = 0; i < 64; ++i) {
    const double plain = std::pow(1e6, -i / 64.0), wavelength = 2 * std::numbers::pi / plain;
    const double smooth = (8192 / wavelength - 1) / 3;
    wanted.push_back(wavelength > 8192   ? plain / 8
                     : wavelength < 2048 ? plain
                                         : (1 - smooth) * plain / 8 + smooth * plain);
  }
  expect_near(scaled_frequencies(rope, 128), wanted);
}

// Qwen2.5's long form. The expected numbers are those of transformers 5.22 for it, in float32.
TEST(Rope, YarnKeepsFastColumnsAndSlowsSlowOnes) {
  const Rope rope = rope_of({{"type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 32768}});
  EXPECT_NEAR(rope.scaling.attention_factor, 1.138629436111989, 1e-15);
  const Values values = scaled_frequencies(rope, 128);
  const std::vector<std::pair<size_t, double>> wanted = {
      {0, 1}, {20, 0.0133352149}, {30, 0.00106436096}, {40, 4.44569851e-05}, {63, 3.10234441e-07}};
  for (const auto& [column, value] : wanted) EXPECT_NEAR(values[column] / value, 1, 1e-6) << column;
}

TEST(Rope, YarnTakesItsDefaultsAsTransformersDoes) {
  const auto of = [](base::Json scaling) {
    scaling["rope_type"] = "yarn";
    return rope_of(scaling).scaling;
  };
  EXPECT_EQ(of({{"original_max_position_embeddings", 32768}}).factor, 4);
  EXPECT_EQ(of({{"factor", 2.0}}).original_positions, 131072);
  EXPECT_EQ(of({{"factor", 2.0}}).beta_fast, 32);
  EXPECT_EQ(of({{"factor", 2.0}, {"beta_fast", 0}, {"beta_slow", 0}}).beta_slow, 1);
  EXPECT_EQ(of({{"factor", 1.0}}).attention_factor, 1);
  EXPECT_EQ(of({{"factor", 4.0}, {"attention_factor", 0.8}}).attention_factor, 0.8);
  // One of the two alone counts for nothing.
  EXPECT_EQ(of({{"factor", 4.0}, {"mscale", 0.7}}), of({{"factor", 4.0}}));
  EXPECT_NEAR(of({{"factor", 4.0}, {"mscale", 2}, {"mscale_all_dim", 1}}).attention_factor,
              (0.2 * std::log(4) + 1) / (0.1 * std::log(4) + 1), 1e-15);
  const base::Json beside = {{"original_max_position_embeddings", 1000}};
  EXPECT_EQ(rope_of({{"type", "yarn"}, {"factor", 2.0}}, beside).scaling.original_positions, 1000);
}

}  // namespace
}  // namespace cuset::model
