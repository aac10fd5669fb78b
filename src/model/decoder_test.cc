#include "model/decoder.h"

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/cuda.h>
#include <torch/utils.h>

#include "base/error.h"
#include "ops/linear_cross_entropy.h"

namespace cuset::model {
namespace {

// Tensors this small are slower on several threads, by far where the machine is busy.
class OneThread : public testing::Environment {
  void SetUp() override { torch::set_num_threads(1); }
};
const auto* const kOneThread = testing::AddGlobalTestEnvironment(new OneThread);

using Samples = std::vector<std::vector<int64_t>>;

const Samples kSamples = {{3, 17, 4, 4, 25, 9, 0}, {11}, {8, 2, 28, 14}};

// Every optional part is there: grouped heads, norms of q and k, biases, heads that are not hidden / heads
// wide.
ModelConfig tiny_config() {
  ModelConfig config;
  config.model_class = ModelClass::kQwen3;
  config.hidden = 12;
  config.layers = 2;
  config.heads = 4;
  config.kv_heads = 2;
  config.head_dim = 6;
  config.intermediate = 20;
  config.vocab = 29;
  config.max_positions = 64;
  config.qkv_bias = config.output_bias = config.qk_norm = true;
  config.tied_embeddings = true;
  return config;
}

std::vector<NamedTensor> random_weights(const ModelConfig& config, torch::ScalarType type) {
  torch::manual_seed(1);
  std::vector<NamedTensor> weights;
  for (const WeightShape& weight : weight_shapes(config)) {
    const bool is_norm = weight.name.find("norm") != std::string::npos;
    const auto noise = torch::randn(weight.shape, torch::kFloat64) * 0.4;
    weights.push_back({weight.name, (is_norm ? noise + 1 : noise).to(type)});
  }
  return weights;
}

Decoder tiny_decoder(torch::ScalarType type = torch::kFloat64, const ModelConfig& config = tiny_config()) {
  return {config, random_weights(config, type)};
}

// Both halves of the adapter drawn at random: with B = 0, as an adapter begins, A has no gradient.
Decoder adapted_decoder(torch::ScalarType type = torch::kFloat64, std::vector<std::string> targets = {}) {
  Decoder decoder = tiny_decoder(type);
  decoder.add_adapter({.rank = 3, .alpha = 6, .dropout = 0, .targets = std::move(targets)},
                      base::RandomStream(1, "adapter"));
  decoder.trained().master().normal_(0, 0.3);
  decoder.trained().refresh_compute();
  return decoder;
}

// Dropout keys as the trainer makes them: sample i is turn first_turn + i.
TokenBatch keyed_batch(const Samples& samples, uint64_t first_turn = 0) {
  TokenBatch batch = make_token_batch(samples, torch::kCPU);
  std::vector<int64_t> keys;
  for (size_t i = 0; i < samples.size(); ++i) {
    for (size_t t = 0; t < samples[i].size(); ++t) keys.push_back(ops::dropout_key(first_turn + i, t));
  }
  batch.dropout_keys = torch::tensor(keys, torch::kInt64);
  return batch;
}

torch::Tensor hidden_of(Decoder& decoder, const Samples& samples, const ForwardOptions& options = {}) {
  const torch::NoGradGuard no_gradient;
  return decoder.hidden(keyed_batch(samples), options);
}

// A loss that is linear in the hidden state, with its own weights for every token and position.
torch::Tensor directions(const Samples& samples, int64_t width) {
  std::vector<torch::Tensor> rows;
  for (const auto& sample : samples) {
    for (size_t t = 0; t < sample.size(); ++t) {
      const auto phase = static_cast<double>(sample[t]) + 0.1 * static_cast<double>(t);
      rows.push_back(torch::sin(torch::arange(width, torch::kFloat64) * 0.7 + phase));
    }
  }
  return torch::stack(rows);
}

// Adds to the gradients of the decoder.
void run_backward(Decoder& decoder, const Samples& samples, const ForwardOptions& options,
                  uint64_t first_turn = 0) {
  const auto hidden = decoder.hidden(keyed_batch(samples, first_turn), options);
  hidden.backward(directions(samples, decoder.config().hidden).to(decoder.type()));
}

torch::Tensor gradient_of(Decoder& decoder, const Samples& samples, const ForwardOptions& options = {}) {
  decoder.trained().zero_gradient();
  run_backward(decoder, samples, options);
  return decoder.trained().gradient().clone();
}

double largest_difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

TEST(Decoder, PackedEqualsOneByOne) {
  Decoder decoder = tiny_decoder();
  std::vector<torch::Tensor> one_by_one;
  for (const auto& sample : kSamples) one_by_one.push_back(hidden_of(decoder, {sample}));
  EXPECT_LT(largest_difference(hidden_of(decoder, kSamples), torch::cat(one_by_one)), 1e-12);
}

TEST(Decoder, SamplesOfAPackDoNotSeeEachOther) {
  Decoder decoder = tiny_decoder(torch::kFloat32);
  Samples changed = kSamples;
  changed[0] = {1, 2, 3, 5, 6, 7, 8};
  const auto before = hidden_of(decoder, kSamples);
  const auto after = hidden_of(decoder, changed);
  EXPECT_FALSE(torch::equal(before.slice(0, 0, 7), after.slice(0, 0, 7)));
  EXPECT_TRUE(torch::equal(before.slice(0, 7), after.slice(0, 7)));
}

TEST(Decoder, TokensDoNotSeeLaterOnes) {
  Decoder decoder = tiny_decoder(torch::kFloat32);
  Samples changed = kSamples;
  changed[0][4] = 26;
  const auto before = hidden_of(decoder, kSamples);
  const auto after = hidden_of(decoder, changed);
  EXPECT_TRUE(torch::equal(before.slice(0, 0, 4), after.slice(0, 0, 4)));
  EXPECT_FALSE(torch::equal(before[5], after[5]));
}

TEST(Decoder, OrderOfTokensMatters) {
  Decoder decoder = tiny_decoder();
  const auto one = hidden_of(decoder, {{3, 7, 5}});
  const auto other = hidden_of(decoder, {{7, 3, 5}});
  EXPECT_GT(largest_difference(one[2], other[2]), 1e-3);
}

TEST(Decoder, AdapterBeginsWithoutEffect) {
  Decoder decoder = tiny_decoder();
  const auto base = hidden_of(decoder, kSamples);
  decoder.add_adapter({.rank = 2}, base::RandomStream(1, "adapter"));
  EXPECT_LT(largest_difference(hidden_of(decoder, kSamples), base), 1e-14);
}

TEST(Decoder, AdapterOffIsTheBaseModel) {
  Decoder base = tiny_decoder(torch::kFloat32);
  Decoder decoder = adapted_decoder(torch::kFloat32);
  const auto wanted = hidden_of(base, kSamples);
  const auto off = decoder.hidden(keyed_batch(kSamples), {.adapter = false});
  EXPECT_FALSE(off.requires_grad());
  EXPECT_TRUE(torch::equal(off, wanted));
  EXPECT_GT(largest_difference(hidden_of(decoder, kSamples), wanted), 1e-2);
}

TEST(Decoder, RecomputingGivesTheSameGradients) {
  const ForwardOptions kept{.dropout_seed = 5, .dropout = 0.2};
  ForwardOptions recomputed = kept;
  recomputed.recompute = true;
  Decoder adapted = adapted_decoder(torch::kFloat32);
  EXPECT_TRUE(torch::equal(gradient_of(adapted, kSamples, kept), gradient_of(adapted, kSamples, recomputed)));
  Decoder full = tiny_decoder(torch::kFloat32);
  full.train_all();
  EXPECT_TRUE(torch::equal(gradient_of(full, kSamples, kept), gradient_of(full, kSamples, recomputed)));
}

TEST(Decoder, GradientsOfSeveralBackwardsAddUp) {
  Decoder decoder = adapted_decoder();
  const auto once = gradient_of(decoder, kSamples);
  run_backward(decoder, kSamples, {});
  EXPECT_LT(largest_difference(decoder.trained().gradient(), 2 * once), 1e-12);
}

// The gradient of a step must not depend on how its samples are packed, dropout included.
TEST(Decoder, DropoutDoesNotDependOnPacking) {
  const ForwardOptions options{.dropout_seed = 3, .dropout = 0.3};
  Decoder decoder = adapted_decoder();
  const auto packed = gradient_of(decoder, kSamples, options);
  decoder.trained().zero_gradient();
  for (size_t i = 0; i < kSamples.size(); ++i) run_backward(decoder, {kSamples[i]}, options, i);
  EXPECT_LT(largest_difference(decoder.trained().gradient(), packed), 1e-12);
  EXPECT_GT(largest_difference(gradient_of(decoder, kSamples), packed), 1e-2);

  decoder.trained().zero_gradient();
  for (size_t i = 0; i < kSamples.size(); ++i) run_backward(decoder, {kSamples[i]}, options, i + 1);
  EXPECT_GT(largest_difference(decoder.trained().gradient(), packed), 1e-2) << "other turns, other masks";
}

// The slope of loss() in element `i` of `value`, by central differences.
template <typename Loss>
double slope(const torch::Tensor& value, int64_t i, const Loss& loss) {
  const torch::NoGradGuard no_gradient;
  constexpr double step = 1e-5;
  auto element = value.view(-1)[i];
  element += step;
  const double above = loss();
  element -= 2 * step;
  const double below = loss();
  element += step;
  return (above - below) / (2 * step);
}

// Elements spread over the tensor, not a multiple of its width apart.
std::vector<int64_t> some_elements(const torch::Tensor& value) {
  std::vector<int64_t> elements;
  for (int64_t i = 0; i < 6; ++i) elements.push_back((i * 37 + 5) % value.numel());
  return elements;
}

TEST(Decoder, AdapterGradientsMatchFiniteDifferences) {
  const ForwardOptions options{.dropout_seed = 3, .dropout = 0.3};
  Decoder decoder = adapted_decoder();
  gradient_of(decoder, kSamples, options);
  const auto direction = directions(kSamples, decoder.config().hidden);
  const auto loss = [&] { return (hidden_of(decoder, kSamples, options) * direction).sum().item<double>(); };
  for (const TrainedWeight& weight : decoder.trained().weights()) {
    const ops::Parameter parameter = decoder.trained().parameter(weight.name);
    for (const int64_t i : some_elements(parameter.value)) {
      EXPECT_NEAR(parameter.gradient.view(-1)[i].item<double>(), slope(parameter.value, i, loss), 1e-6)
          << weight.name << " [" << i << "]";
    }
  }
}

class TrainedDecoder : public testing::TestWithParam<bool> {
 protected:
  static Decoder make() {
    ModelConfig config = tiny_config();
    config.tied_embeddings = GetParam();
    return tiny_decoder(torch::kFloat64, config);
  }
};

// -log p of the last token of every sample after its first one, added up: through the head, which shares its
// weight with the embedding where they are tied.
TEST_P(TrainedDecoder, AllGradientsMatchFiniteDifferences) {
  Decoder decoder = make();
  decoder.train_all();
  const auto rows = torch::tensor({0, 5, 9}, torch::kInt64);
  const auto targets = torch::tensor({17, 0, 28}, torch::kInt64);
  const auto hidden = decoder.hidden(make_token_batch(kSamples, torch::kCPU), {});
  const auto used = hidden.detach().index_select(0, rows);
  const ops::LinearCrossEntropy metrics = ops::linear_cross_entropy(used, decoder.head().value, targets);
  ops::add_head_weight_gradient(used, decoder.head(), targets, {.loss_weights = torch::ones({3})});
  hidden.backward(torch::zeros_like(hidden).index_copy(0, rows, metrics.hidden_gradient));

  const auto loss = [&] {
    const auto logits = hidden_of(decoder, kSamples).index_select(0, rows).matmul(decoder.head().value.t());
    return -torch::log_softmax(logits, 1).gather(1, targets.unsqueeze(1)).sum().template item<double>();
  };
  for (const TrainedWeight& weight : decoder.trained().weights()) {
    const ops::Parameter parameter = decoder.trained().parameter(weight.name);
    for (const int64_t i : some_elements(parameter.value)) {
      EXPECT_NEAR(parameter.gradient.view(-1)[i].item<double>(), slope(parameter.value, i, loss), 1e-6)
          << weight.name << " [" << i << "]";
    }
  }
}

TEST_P(TrainedDecoder, KeepsItsValues) {
  Decoder decoder = make();
  const auto before = hidden_of(decoder, kSamples);
  decoder.train_all();
  EXPECT_TRUE(torch::equal(hidden_of(decoder, kSamples), before));
  int64_t parameters = 0;
  for (const TrainedWeight& weight : decoder.trained().weights()) {
    EXPECT_EQ(weight.decays, weight.shape.size() > 1) << weight.name;
    parameters += decoder.trained().parameter(weight.name).value.numel();
  }
  EXPECT_EQ(parameters, decoder.config().parameters());
}

INSTANTIATE_TEST_SUITE_P(Embeddings, TrainedDecoder, testing::Bool(),
                         [](const auto& name) { return name.param ? "Tied" : "Untied"; });

TEST(Decoder, MergedWeightsAnswerAsBaseAndAdapter) {
  Decoder decoder = adapted_decoder(torch::kFloat64, {"q_proj", "down_proj"});
  const auto wanted = hidden_of(decoder, kSamples);
  Decoder merged(decoder.config(), decoder.merged_weights());
  EXPECT_LT(largest_difference(hidden_of(merged, kSamples), wanted), 1e-12);
  EXPECT_TRUE(torch::equal(hidden_of(decoder, kSamples), wanted)) << "merging changed the model itself";
}

torch::Tensor tensor_named(const std::vector<NamedTensor>& tensors, const std::string& name) {
  for (const NamedTensor& tensor : tensors) {
    if (tensor.name == name) return tensor.tensor;
  }
  return {};
}

TEST(Decoder, MergedWeightsAreRoundedOnce) {
  Decoder decoder = adapted_decoder(torch::kBFloat16);
  const std::string module = "model.layers.1.mlp.up_proj";
  const auto a = decoder.trained().master_of(lora_a_name(module));
  const auto b = decoder.trained().master_of(lora_b_name(module));
  const auto base = tensor_named(random_weights(decoder.config(), torch::kBFloat16), module + ".weight");
  const auto wanted = (base.to(torch::kFloat32) + 2.0 * b.matmul(a)).to(torch::kBFloat16);
  EXPECT_TRUE(torch::equal(tensor_named(decoder.merged_weights(), module + ".weight"), wanted));
}

TEST(Decoder, AdapterGoesOutAndIn) {
  Decoder decoder = adapted_decoder(torch::kFloat32, {"v_proj", "o_proj"});
  const Adapter adapter = decoder.adapter("base");
  EXPECT_EQ(adapter.base_model, "base");
  EXPECT_EQ(adapter.tensors.size(), 8u);
  Decoder other = tiny_decoder(torch::kFloat32);
  other.add_adapter(adapter.settings, base::RandomStream(2, "adapter"));
  other.load_adapter(adapter);
  EXPECT_TRUE(torch::equal(hidden_of(other, kSamples), hidden_of(decoder, kSamples)));
}

TEST(Decoder, AdapterNamesAllItsTargets) {
  Decoder decoder = tiny_decoder();
  decoder.add_adapter({.rank = 1}, base::RandomStream(1, "adapter"));
  const std::vector<std::string> all = {"q_proj",    "k_proj",  "v_proj",   "o_proj",
                                        "gate_proj", "up_proj", "down_proj"};
  EXPECT_EQ(decoder.adapter("").settings.targets, all);
}

TEST(Decoder, AdapterThatDoesNotFitIsRefused) {
  const Adapter adapter = adapted_decoder(torch::kFloat32, {"v_proj", "o_proj"}).adapter("");
  const auto load_into = [&](const LoraSettings& settings) {
    Decoder decoder = tiny_decoder(torch::kFloat32);
    decoder.add_adapter(settings, base::RandomStream(1, "adapter"));
    decoder.load_adapter(adapter);
  };
  LoraSettings settings = adapter.settings;
  EXPECT_NO_THROW(load_into(settings));
  settings.rank = 2;
  EXPECT_THROW(load_into(settings), base::Error);
  settings = adapter.settings;
  settings.alpha = 1;
  EXPECT_THROW(load_into(settings), base::Error);
  settings = adapter.settings;
  settings.targets = {"v_proj"};
  EXPECT_THROW(load_into(settings), base::Error);
  settings.targets = {};
  EXPECT_THROW(load_into(settings), base::Error);
}

TEST(Decoder, WithoutGradientsNothingIsKept) {
  Decoder frozen = tiny_decoder();
  EXPECT_FALSE(frozen.hidden(keyed_batch(kSamples), {}).requires_grad());
  Decoder adapted = adapted_decoder();
  EXPECT_FALSE(hidden_of(adapted, kSamples).requires_grad());
  EXPECT_TRUE(adapted.hidden(keyed_batch(kSamples), {}).requires_grad());
}

TEST(Decoder, BFloat16IsCloseToFloat64) {
  Decoder rounded = tiny_decoder(torch::kBFloat16);
  Decoder exact = tiny_decoder();
  const auto wanted = hidden_of(exact, kSamples);
  const auto distance = (hidden_of(rounded, kSamples).to(torch::kFloat64) - wanted).norm() / wanted.norm();
  EXPECT_LT(distance.item<double>(), 0.03);
}

struct GpuCase {
  torch::ScalarType type;
  Samples samples;
  bool trains_all;
  int64_t window = 0;  // of the second layer
  bool has_experts = false;
};

class DecoderGpu : public testing::TestWithParam<GpuCase> {
 protected:
  // On the GPU in the case's type, or the float64 oracle on the CPU.
  static Decoder make(bool oracle) {
    ModelConfig config = tiny_config();
    config.hidden = 64;
    config.head_dim = 32;
    config.intermediate = 96;
    if (GetParam().window > 0) config.windows = {0, GetParam().window};
    if (GetParam().has_experts) {
      config.experts = 5;
      config.experts_per_token = 2;
      config.expert_intermediate = 40;
      config.sparse_layers = {true, true};
    }
    auto weights = random_weights(config, GetParam().type);
    for (NamedTensor& weight : weights) {
      weight.tensor = oracle ? (0.5 * weight.tensor).to(torch::kFloat64) : (0.5 * weight.tensor).cuda();
    }
    Decoder decoder(config, std::move(weights));
    if (GetParam().trains_all) {
      decoder.train_all();
    } else {
      decoder.add_adapter({.rank = 8, .alpha = 16}, base::RandomStream(1, "adapter"));
      torch::manual_seed(2);
      // Drawn in float32 and rounded on both sides, so that both have the same adapter.
      const auto values = torch::randn({decoder.trained().size()}) * 0.1;
      decoder.trained().master().copy_(values.to(GetParam().type));
      decoder.trained().refresh_compute();
    }
    return decoder;
  }

  struct Result {
    torch::Tensor hidden;
    torch::Tensor gradient;
  };

  static Result run(Decoder& decoder, bool recompute) {
    TokenBatch batch = keyed_batch(GetParam().samples);
    const auto keys = batch.dropout_keys.to(decoder.device());
    batch = make_token_batch(GetParam().samples, decoder.device());
    batch.dropout_keys = keys;
    decoder.trained().zero_gradient();
    const auto hidden = decoder.hidden(batch, {.recompute = recompute, .dropout_seed = 5, .dropout = 0.1});
    hidden.backward(
        directions(GetParam().samples, decoder.config().hidden).to(decoder.device(), decoder.type()));
    return {hidden.detach().to(torch::kCPU, torch::kFloat64),
            decoder.trained().gradient().to(torch::kCPU, torch::kFloat64)};
  }

  static double relative_error(const torch::Tensor& value, const torch::Tensor& wanted) {
    return ((value - wanted).norm() / wanted.norm()).item<double>();
  }
};

// The same masks of dropout, the same packs, other kernels.
TEST_P(DecoderGpu, MatchesTheCpu) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "skipped: no GPU";
  Decoder oracle = make(/*oracle=*/true);
  Decoder decoder = make(/*oracle=*/false);
  const Result wanted = run(oracle, /*recompute=*/false);
  const double limit = GetParam().type == torch::kFloat32 ? 1e-5 : 5e-2;
  for (const bool recompute : {false, true}) {
    const Result given = run(decoder, recompute);
    EXPECT_LT(relative_error(given.hidden, wanted.hidden), limit);
    EXPECT_LT(relative_error(given.gradient, wanted.gradient), limit);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, DecoderGpu,
    testing::Values(GpuCase{torch::kFloat32, kSamples, false}, GpuCase{torch::kFloat32, kSamples, true},
                    GpuCase{torch::kBFloat16, kSamples, false}, GpuCase{torch::kBFloat16, kSamples, true},
                    GpuCase{torch::kBFloat16, {kSamples[0]}, false},
                    GpuCase{torch::kFloat32, kSamples, true, 3}, GpuCase{torch::kBFloat16, kSamples, true, 3},
                    // In bfloat16 rounding may choose other experts.
                    GpuCase{torch::kFloat32, kSamples, false, 0, true},
                    GpuCase{torch::kFloat32, kSamples, true, 0, true}));

TEST(Decoder, WeightsThatDoNotFitAreOurBug) {
  auto weights = random_weights(tiny_config(), torch::kFloat32);
  weights.pop_back();
  EXPECT_THROW(Decoder(tiny_config(), weights), base::CheckFailure);
  weights = random_weights(tiny_config(), torch::kFloat32);
  weights[1].tensor = weights[1].tensor.to(torch::kBFloat16);
  EXPECT_THROW(Decoder(tiny_config(), weights), base::CheckFailure);
}

}  // namespace
}  // namespace cuset::model
