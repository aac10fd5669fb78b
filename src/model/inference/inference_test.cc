#include "model/inference/inference.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>
#include <torch/utils.h>

#include <algorithm>

#include "base/error.h"
#include "model/decoder.h"
#include "model/inference/inference_backend.h"
#include "ops/linear_cross_entropy.h"

namespace cuset::model {
namespace {

using Tokens = std::vector<int64_t>;

// Sizes that fill no vector and no block of the loops.
ModelConfig odd_config(ModelClass model_class) {
  ModelConfig config;
  config.model_class = model_class;
  config.hidden = 20;
  config.layers = 2;
  config.heads = 6;
  config.kv_heads = 2;
  config.head_dim = 10;
  config.intermediate = 36;
  config.vocab = 53;
  config.max_positions = 512;
  return config;
}

// Between them, every optional part: biases, norms of q and k, tied embeddings, every kind of RoPE scaling, windows
// shorter than the sequences of the tests, experts.
std::vector<ModelConfig> all_configs() {
  ModelConfig qwen2 = odd_config(ModelClass::kQwen2);
  qwen2.qkv_bias = qwen2.tied_embeddings = true;
  qwen2.rope_scaling = {.kind = RopeScaling::Kind::kLinear, .factor = 2};
  ModelConfig qwen3 = odd_config(ModelClass::kQwen3);
  qwen3.qk_norm = true;
  qwen3.heads = qwen3.kv_heads = 3;
  ModelConfig llama = odd_config(ModelClass::kLlama);
  llama.qkv_bias = llama.output_bias = llama.mlp_bias = true;
  llama.rope_scaling = {.kind = RopeScaling::Kind::kLlama3, .factor = 8, .original_positions = 64};
  ModelConfig aligned = odd_config(ModelClass::kLlama);
  aligned.hidden = 64;
  aligned.heads = 4;
  aligned.head_dim = 16;
  aligned.intermediate = 96;
  aligned.vocab = 80;
  aligned.tied_embeddings = true;
  ModelConfig mistral = odd_config(ModelClass::kMistral);
  mistral.rope_scaling = {
      .kind = RopeScaling::Kind::kYarn, .factor = 4, .original_positions = 16, .attention_factor = 1.14};
  mistral.windows = {0, 5};
  ModelConfig window = odd_config(ModelClass::kQwen3);
  window.qk_norm = true;
  window.windows = {17, 1};
  ModelConfig sparse = odd_config(ModelClass::kQwen3Moe);
  sparse.qk_norm = sparse.normalized_experts = true;
  sparse.experts = 7;
  sparse.experts_per_token = 3;
  sparse.expert_intermediate = 9;
  sparse.sparse_layers = {true, false};
  ModelConfig all_sparse = sparse;
  all_sparse.normalized_experts = false;
  all_sparse.experts_per_token = 1;
  all_sparse.sparse_layers = {true, true};
  return {qwen2, qwen3, llama, aligned, mistral, window, sparse, all_sparse};
}

std::vector<NamedTensor> random_weights(const ModelConfig& config,
                                        const torch::TensorOptions& options = torch::kFloat32) {
  torch::manual_seed(1);
  std::vector<NamedTensor> weights;
  for (const WeightShape& weight : weight_shapes(config)) {
    const bool is_norm = weight.name.find("norm") != std::string::npos;
    const auto noise = torch::randn(weight.shape, torch::kFloat64) * 0.3;
    weights.push_back({weight.name, (is_norm ? noise + 1 : noise).to(torch::kBFloat16).to(options)});
  }
  return weights;
}

Adapter random_adapter(const ModelConfig& config, uint64_t seed, std::vector<std::string> targets = {}) {
  torch::manual_seed(static_cast<int64_t>(seed));
  const LoraSettings settings{.rank = 3, .alpha = 6, .dropout = 0, .targets = std::move(targets)};
  Adapter adapter{settings, "base", {}};
  for (const TrainedWeight& weight : lora_weights(lora_targets(config, settings), settings.rank)) {
    adapter.tensors.push_back(
        {weight.name, (torch::randn(weight.shape) * 0.3).to(torch::kBFloat16).to(torch::kFloat32)});
  }
  return adapter;
}

Tokens random_tokens(const ModelConfig& config, size_t count, uint64_t seed) {
  base::RandomStream stream(seed, "tokens");
  Tokens tokens(count);
  for (int64_t& token : tokens)
    token = static_cast<int64_t>(stream.below(static_cast<uint64_t>(config.vocab)));
  return tokens;
}

// Logits behind every token of a sequence, from the decoder that trains, in float64: [tokens, vocab].
torch::Tensor wanted_logits(const ModelConfig& config, const Tokens& tokens,
                            const Adapter* adapter = nullptr) {
  const torch::NoGradGuard no_gradient;
  Decoder decoder(config, random_weights(config, torch::kFloat64));
  if (adapter != nullptr) {
    decoder.add_adapter(adapter->settings, base::RandomStream(1, "adapter"));
    decoder.load_adapter(*adapter);
    decoder = Decoder(config, decoder.merged_weights());
  }
  const auto hidden = decoder.hidden(make_token_batch({tokens}, torch::kCPU), {});
  return ops::head_logits(hidden, decoder.head().value);
}

double distance(const torch::Tensor& value, const torch::Tensor& wanted) {
  const auto difference = value.to(torch::kCPU, torch::kFloat64) - wanted.to(torch::kFloat64);
  return (difference.abs().max() / wanted.abs().max()).item<double>();
}

// Extends slot `slot` alone by tokens begin .. end: [vocab].
torch::Tensor extend_one(InferenceModel& model, int64_t slot, const Tokens& tokens, size_t begin,
                         size_t end) {
  const SequenceExtension row{slot, std::span(tokens).subspan(begin, end - begin)};
  return model.extend(std::span(&row, 1))[0];
}

InferenceModel model_of(const ModelConfig& config,
                        const InferenceLimits& limits = {.slots = 5, .positions = 64},
                        const torch::TensorOptions& options = torch::kFloat32) {
  return {config, random_weights(config, options), limits};
}

// Where models are tried, and how near their logits must come to the float64 decoder's, as a share of the
// largest.
struct Place {
  torch::TensorOptions options;
  double limit;
};

const Place kCpu = {torch::TensorOptions(torch::kFloat32), 1e-5};

std::vector<Place> gpu_places() {
  const auto gpu = torch::TensorOptions(torch::kCUDA);
  return {{gpu.dtype(torch::kFloat32), 1e-4}, {gpu.dtype(torch::kBFloat16), 0.25}};
}

void compare_token_by_token(const ModelConfig& config, const Place& place) {
  const Tokens tokens = random_tokens(config, 40, 1);
  const auto wanted = wanted_logits(config, tokens);
  InferenceModel model = model_of(config, {.slots = 5, .positions = 64}, place.options);
  model.begin(2);
  for (size_t t = 0; t < tokens.size(); ++t) {
    EXPECT_LT(distance(extend_one(model, 2, tokens, t, t + 1), wanted[static_cast<int64_t>(t)]), place.limit)
        << t;
  }
  EXPECT_EQ(model.length(2), 40);
}

void compare_in_parts(const ModelConfig& config, const Place& place) {
  const Tokens tokens = random_tokens(config, 61, 2);
  const auto wanted = wanted_logits(config, tokens);
  InferenceModel model = model_of(config, {.slots = 5, .positions = 64}, place.options);
  for (const std::vector<size_t>& borders :
       {std::vector<size_t>{61}, {1, 2, 61}, {17, 33, 61}, {16, 32, 48, 61}}) {
    model.begin(0);
    size_t begin = 0;
    for (const size_t end : borders) {
      const auto logits = extend_one(model, 0, tokens, begin, end);
      EXPECT_LT(distance(logits, wanted[static_cast<int64_t>(end) - 1]), place.limit) << end;
      begin = end;
    }
  }
}

// Rows of both adapters and of none, prompts beside single tokens, in one call.
void compare_adapters(const ModelConfig& config, const Place& place) {
  const bool sparse = config.experts > 0;
  const std::vector<std::string> targets = {"v_proj", sparse ? "q_proj" : "up_proj",
                                            sparse ? "o_proj" : "down_proj"};
  const std::vector<Adapter> adapters = {random_adapter(config, 1), random_adapter(config, 2, targets)};
  InferenceModel model = model_of(config, {.slots = 5, .positions = 64}, place.options);
  for (const Adapter& adapter : adapters) model.add_adapter(adapter);
  const std::vector<int64_t> uses = {1, -1, 0, 1, 0};
  std::vector<Tokens> tokens;
  for (size_t slot = 0; slot < uses.size(); ++slot) {
    tokens.push_back(random_tokens(config, 20 + slot, slot));
    model.begin(static_cast<int64_t>(slot), uses[slot]);
  }
  std::vector<SequenceExtension> first, second;
  for (size_t slot = 0; slot < uses.size(); ++slot) {
    const auto all = std::span<const int64_t>(tokens[slot]);
    first.push_back({static_cast<int64_t>(slot), all.first(slot == 2 ? 1 : all.size() - 1)});
    second.push_back({static_cast<int64_t>(slot), all.subspan(first.back().tokens.size())});
  }
  model.extend(first);
  const auto logits = model.extend(second);
  for (size_t slot = 0; slot < uses.size(); ++slot) {
    const Adapter* adapter = uses[slot] < 0 ? nullptr : &adapters[static_cast<size_t>(uses[slot])];
    const auto wanted = wanted_logits(config, tokens[slot], adapter);
    EXPECT_LT(distance(logits[static_cast<int64_t>(slot)], wanted[-1]), place.limit) << slot;
  }
}

// Logits of every token of a row that wants them, beside other rows and across blocks.
torch::Tensor all_logits(InferenceModel& model, const Tokens& tokens, size_t others = 0) {
  std::vector<Tokens> prompts;
  for (size_t i = 0; i < others; ++i) prompts.push_back(random_tokens(model.config(), 5 + 40 * i, i));
  std::vector<SequenceExtension> rows;
  for (size_t i = 0; i < others; ++i) {
    model.begin(static_cast<int64_t>(i) + 1);
    rows.push_back({static_cast<int64_t>(i) + 1, prompts[i]});
  }
  std::vector<torch::Tensor> parts;
  int64_t next = 0;
  model.begin(0);
  rows.push_back({0, tokens, [&](int64_t first, const torch::Tensor& logits) {
                    EXPECT_EQ(first, next);
                    next += logits.size(0);
                    parts.push_back(logits.clone());
                  }});
  const auto last = model.extend(rows)[static_cast<int64_t>(others)];
  const auto all = torch::cat(parts);
  EXPECT_EQ(next, std::ssize(tokens));
  EXPECT_LT(distance(all[-1], last.cpu()), 0.01);
  return all;
}

void compare_all_logits(const ModelConfig& config, const Place& place) {
  InferenceModel model = model_of(config, {.slots = 4, .positions = 600}, place.options);
  const Tokens tokens = random_tokens(config, 330, 2);
  const auto alone = all_logits(model, tokens), wanted = wanted_logits(config, tokens);
  EXPECT_LT(distance(alone, wanted), place.limit);
  EXPECT_TRUE(torch::equal(all_logits(model, tokens, 3), alone)) << "other rows change the bits";
}

// One sequence among others: a prompt, then single tokens. Logits of every call: [calls, vocab].
struct Company {
  int64_t slot = 0;
  std::vector<size_t> others = {};  // lengths of the other rows' prompts; they use other adapters
  bool last = false;                // the row comes behind the others
};

torch::Tensor logits_in_company(InferenceModel& model, const Tokens& tokens, size_t prompt,
                                const Company& company) {
  std::vector<Tokens> others;
  std::vector<int64_t> slots;
  for (const size_t length : company.others) {
    const auto number = static_cast<int64_t>(others.size());
    slots.push_back(number + (number >= company.slot ? 1 : 0));
    others.push_back(random_tokens(model.config(), length + tokens.size(), 100 + length));
    model.begin(slots.back(), number % 3 - 1);
  }
  model.begin(company.slot, 1);
  std::vector<torch::Tensor> logits;
  for (size_t begin = 0, end = prompt; end <= tokens.size(); begin = end++) {
    std::vector<SequenceExtension> rows;
    for (size_t i = 0; i < others.size(); ++i) {
      const auto all = std::span<const int64_t>(others[i]);
      const auto length = static_cast<size_t>(model.length(slots[i]));
      rows.push_back({slots[i], length == 0 ? all.first(company.others[i]) : all.subspan(length, 1)});
    }
    const SequenceExtension own{company.slot, std::span<const int64_t>(tokens).subspan(begin, end - begin)};
    rows.insert(company.last ? rows.end() : rows.begin(), own);
    logits.push_back(model.extend(rows)[company.last ? static_cast<int64_t>(rows.size()) - 1 : 0].clone());
  }
  return torch::stack(logits);
}

void compare_bits_in_company(const ModelConfig& config, const Place& place) {
  InferenceModel model = model_of(config, {.slots = 9, .positions = 96}, place.options);
  model.add_adapter(random_adapter(config, 1));
  model.add_adapter(random_adapter(config, 2));
  const Tokens tokens = random_tokens(config, 40, 5);
  for (const size_t prompt : {size_t{1}, size_t{21}}) {
    const auto alone = logits_in_company(model, tokens, prompt, {});
    const Company companies[] = {{.slot = 8, .others = {30, 1, 2, 3, 50, 17, 18, 19}, .last = true},
                                 {.slot = 1, .others = {9}, .last = true},
                                 {.slot = 0, .others = {1, 1, 1, 1, 1, 1, 1}, .last = false}};
    for (const Company& company : companies) {
      EXPECT_TRUE(torch::equal(logits_in_company(model, tokens, prompt, company), alone)) << company.slot;
    }
  }
}

// Slots that held something else before give the same as fresh ones.
void compare_used_slots(const ModelConfig& config, const Place& place) {
  InferenceModel model = model_of(config, {.slots = 2, .positions = 64}, place.options);
  const Tokens tokens = random_tokens(config, 30, 7), before = random_tokens(config, 64, 8);
  model.begin(1);
  const auto fresh = extend_one(model, 1, tokens, 0, 30);
  model.begin(1);
  extend_one(model, 1, before, 0, 64);
  EXPECT_EQ(model.length(1), 64);
  model.begin(1);
  EXPECT_EQ(model.length(1), 0);
  EXPECT_TRUE(torch::equal(extend_one(model, 1, tokens, 0, 30), fresh));
}

TEST(InferenceModel, TokenByTokenEqualsTheDecoder) {
  for (const ModelConfig& config : all_configs()) compare_token_by_token(config, kCpu);
}

TEST(InferenceModel, WholeAndInPartsEqualsTheDecoder) {
  for (const ModelConfig& config : all_configs()) compare_in_parts(config, kCpu);
}

TEST(InferenceModel, AdaptersServeAtOnceWithoutBeingMerged) {
  for (const ModelConfig& config : all_configs()) compare_adapters(config, kCpu);
}

TEST(InferenceModel, BitsOfARowDoNotDependOnOtherRows) {
  for (const ModelConfig& config : all_configs()) compare_bits_in_company(config, kCpu);
}

TEST(InferenceModel, UsedSlotsAreAsFresh) {
  for (const ModelConfig& config : all_configs()) compare_used_slots(config, kCpu);
}

TEST(InferenceModel, BitsDoNotDependOnHowAPromptIsCut) {
  for (const ModelConfig& config : all_configs()) {
    const Tokens tokens = random_tokens(config, 200, 3);
    InferenceModel model = model_of(config, {.slots = 1, .positions = 200});
    model.begin(0);
    const auto whole = extend_one(model, 0, tokens, 0, 200);
    for (const size_t step : {1, 7, 64, 199}) {
      model.begin(0);
      torch::Tensor logits;
      for (size_t begin = 0; begin < 200; begin += step)
        logits = extend_one(model, 0, tokens, begin, std::min<size_t>(200, begin + step));
      EXPECT_TRUE(torch::equal(logits, whole)) << step;
    }
  }
}

TEST(InferenceModel, LogitsOfEveryTokenAreThoseOfTheDecoder) {
  for (const ModelConfig& config : all_configs()) compare_all_logits(config, kCpu);
}

TEST(InferenceModel, LogitsOfEveryTokenHaveTheBitsOfTokensOneByOne) {
  for (const ModelConfig& config : all_configs()) {
    InferenceModel model = model_of(config, {.slots = 3, .positions = 100});
    const Tokens tokens = random_tokens(config, 80, 2);
    const auto all = all_logits(model, tokens, 2);
    model.begin(0);
    for (size_t t = 0; t < tokens.size(); ++t)
      EXPECT_TRUE(torch::equal(extend_one(model, 0, tokens, t, t + 1), all[static_cast<int64_t>(t)])) << t;
  }
}

TEST(InferenceModel, BitsDoNotDependOnTheNumberOfThreads) {
  ModelConfig config = all_configs()[0];
  config.hidden = 256;  // wide enough to be split
  config.intermediate = 512;
  const Tokens tokens = random_tokens(config, 300, 3);
  InferenceModel model = model_of(config, {.slots = 9, .positions = 400});
  model.add_adapter(random_adapter(config, 1));
  model.add_adapter(random_adapter(config, 2));
  const int threads = torch::get_num_threads();
  std::vector<torch::Tensor> logits;
  for (const int count : {1, 2, 3}) {
    torch::set_num_threads(count);
    logits.push_back(logits_in_company(model, tokens, 290, {.slot = 2, .others = {8, 70, 9, 1}}));
    logits.push_back(logits_in_company(model, tokens, 290, {}));
  }
  torch::set_num_threads(threads);
  for (const auto& value : logits) EXPECT_TRUE(torch::equal(value, logits[0]));
}

// Keys and values are rounded, nothing else.
TEST(InferenceModel, Bfloat16WeightsComputeInFloat32) {
  const Place place = {torch::TensorOptions(torch::kBFloat16), 0.06};
  for (const ModelConfig& config : all_configs()) compare_in_parts(config, place);
}

TEST(InferenceModel, WrongUseIsRefused) {
  const ModelConfig config = all_configs()[0];
  InferenceModel model = model_of(config, {.slots = 2, .positions = 8});
  const Tokens tokens = random_tokens(config, 9, 1), unknown = {config.vocab};
  EXPECT_THROW(extend_one(model, 2, tokens, 0, 1), base::CheckFailure);
  EXPECT_THROW(extend_one(model, 0, tokens, 0, 9), base::CheckFailure);
  EXPECT_THROW(extend_one(model, 0, tokens, 0, 0), base::CheckFailure);
  EXPECT_THROW(extend_one(model, 0, unknown, 0, 1), base::CheckFailure);
  EXPECT_THROW(model.begin(0, 0), base::CheckFailure);
  const SequenceExtension row{0, std::span<const int64_t>(tokens).first(1)};
  EXPECT_THROW(model.extend(std::vector{row, row}), base::CheckFailure);
  EXPECT_EQ(model.extend({}).size(0), 0);
  EXPECT_EQ(model.length(0), 0);
  extend_one(model, 0, tokens, 0, 8);
  EXPECT_THROW(extend_one(model, 0, tokens, 8, 9), base::CheckFailure);
}

TEST(InferenceModel, CachesThatDoNotFitAreRefusedWithTheirSize) {
  try {
    model_of(all_configs()[0], {.slots = 1 << 20, .positions = 1 << 20});
    FAIL() << "a cache of terabytes was made";
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("TiB"), std::string::npos) << error.what();
  }
}

TEST(InferenceModel, AdaptersOfOtherModelsAreRefused) {
  InferenceModel model = model_of(all_configs()[0]);
  ModelConfig deeper = all_configs()[0];
  deeper.layers = 3;
  EXPECT_THROW(model.add_adapter(random_adapter(deeper, 1)), base::Error);
}

// What runs on a GPU, in plain operations.
TEST(TensorInference, EqualsTheDecoderOnTheCpu) {
  const torch::NoGradGuard no_gradient;
  for (const ModelConfig& config : all_configs()) {
    const Adapter adapter = random_adapter(config, 1);
    const auto backend = make_tensor_inference(config, join_weights(config, random_weights(config)),
                                               {.slots = 4, .positions = 64});
    backend->set_adapter(0, adapter);
    const Tokens with = random_tokens(config, 40, 1), without = random_tokens(config, 23, 2);
    const auto part = [](const Tokens& tokens, size_t begin, size_t end) {
      return std::span<const int64_t>(tokens).subspan(begin, end - begin);
    };
    backend->extend(std::vector<SequenceStep>{{3, 0, 0, part(with, 0, 17)}, {1, 0, -1, part(without, 0, 1)}});
    backend->extend(
        std::vector<SequenceStep>{{3, 17, 0, part(with, 17, 39)}, {1, 1, -1, part(without, 1, 22)}});
    const auto logits = backend->extend(
        std::vector<SequenceStep>{{3, 39, 0, part(with, 39, 40)}, {1, 22, -1, part(without, 22, 23)}});
    EXPECT_LT(distance(logits[0], wanted_logits(config, with, &adapter)[-1]), kCpu.limit);
    EXPECT_LT(distance(logits[1], wanted_logits(config, without)[-1]), kCpu.limit);
  }
}

TEST(TensorInference, GivesLogitsOfEveryTokenInParts) {
  const torch::NoGradGuard no_gradient;
  const ModelConfig config = all_configs()[0];
  const auto backend = make_tensor_inference(config, join_weights(config, random_weights(config)),
                                             {.slots = 2, .positions = 400});
  const Tokens tokens = random_tokens(config, 330, 1);
  std::vector<torch::Tensor> parts;
  const LogitsReceiver receiver = [&](int64_t, const torch::Tensor& logits) { parts.push_back(logits); };
  backend->extend(std::vector<SequenceStep>{{1, 0, -1, tokens, &receiver}});
  ASSERT_EQ(parts.size(), 2U) << "330 tokens are a block of 512";
  EXPECT_LT(distance(torch::cat(parts), wanted_logits(config, tokens)), kCpu.limit);
}

class InferenceModelGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "skipped: no GPU";
  }
};

// In bfloat16 rounding may choose other experts than the float64 decoder does.
std::vector<ModelConfig> comparable_configs(const Place& place) {
  std::vector<ModelConfig> configs = all_configs();
  if (place.options.dtype() == torch::kBFloat16) {
    std::erase_if(configs, [](const ModelConfig& config) { return config.experts > 0; });
  }
  return configs;
}

TEST_F(InferenceModelGpu, TokenByTokenEqualsTheDecoder) {
  for (const Place& place : gpu_places()) {
    for (const ModelConfig& config : comparable_configs(place)) compare_token_by_token(config, place);
  }
}

TEST_F(InferenceModelGpu, WholeAndInPartsEqualsTheDecoder) {
  for (const Place& place : gpu_places()) {
    for (const ModelConfig& config : comparable_configs(place)) compare_in_parts(config, place);
  }
}

TEST_F(InferenceModelGpu, LogitsOfEveryTokenAreThoseOfTheDecoder) {
  for (const Place& place : gpu_places()) {
    for (const ModelConfig& config : comparable_configs(place)) compare_all_logits(config, place);
  }
}

TEST_F(InferenceModelGpu, AdaptersServeAtOnceWithoutBeingMerged) {
  for (const Place& place : gpu_places()) {
    for (const ModelConfig& config : comparable_configs(place)) compare_adapters(config, place);
  }
}

// Also with the widths of a real model, whose products cuBLAS may split.
TEST_F(InferenceModelGpu, BitsOfARowDoNotDependOnOtherRows) {
  ModelConfig wide = all_configs()[0];
  wide.hidden = 3584;
  wide.heads = 28;
  wide.kv_heads = 4;
  wide.head_dim = 128;
  wide.intermediate = 18944;
  wide.layers = 1;
  for (const Place& place : gpu_places()) {
    for (const ModelConfig& config : all_configs()) compare_bits_in_company(config, place);
    compare_bits_in_company(wide, place);
  }
}

TEST_F(InferenceModelGpu, UsedSlotsAreAsFresh) {
  for (const Place& place : gpu_places()) {
    for (const ModelConfig& config : all_configs()) compare_used_slots(config, place);
  }
}

}  // namespace
}  // namespace cuset::model
