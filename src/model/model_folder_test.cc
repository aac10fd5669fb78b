#include "model/model_folder.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/tiny_model.h"

namespace cuset::model {
namespace {

namespace fs = std::filesystem;

base::Json tiny_config(bool tied = true) {
  return support::tiny_model_config(20, {{"architectures", {"Qwen2ForCausalLM"}},
                                         {"model_type", "qwen2"},
                                         {"hidden_size", 8},
                                         {"intermediate_size", 12},
                                         {"num_attention_heads", 2},
                                         {"num_key_value_heads", 1},
                                         {"max_position_embeddings", 64},
                                         {"tie_word_embeddings", tied}});
}

class ModelFolderTest : public ::testing::Test {
 protected:
  ModelFolderTest() { base::write_json_file(path() / "config.json", tiny_config()); }

  fs::path path() const { return folder_.path(); }
  ModelConfig config() const { return read_model_config(path()); }

  std::vector<NamedTensor> random_weights() const {
    return random_model_weights(config(), {.type = torch::kFloat32}, base::RandomStream(1, "weights"));
  }

  // The message of loading, with the folder's own path as FOLDER.
  std::string failure() const {
    try {
      load_model_weights(path(), config(), {.type = torch::kFloat32});
    } catch (const base::Error& error) {
      return without_path(error.one_line());
    }
    return "loaded";
  }

  std::string without_path(std::string text) const {
    const std::string own = path().string();
    for (size_t at = text.find(own); at != std::string::npos; at = text.find(own)) {
      text.replace(at, own.size(), "FOLDER");
    }
    return text;
  }

  base::TemporaryFolder folder_;
};

void expect_equal(const std::vector<NamedTensor>& a, const std::vector<NamedTensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_TRUE(torch::equal(a[i].tensor, b[i].tensor)) << a[i].name;
  }
}

TEST_F(ModelFolderTest, WeightsComeInTheOrderOfTheComputation) {
  std::vector<NamedTensor> weights = random_weights();
  std::vector<NamedTensor> stored(weights.rbegin(), weights.rend());
  stored.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", torch::ones({2})});
  stored.push_back({"lm_head.weight", torch::ones({20, 8})});
  write_safetensors(path() / "model.safetensors", stored);
  expect_equal(load_model_weights(path(), config(), {.type = torch::kFloat32}), weights);
}

TEST_F(ModelFolderTest, WeightsAreConverted) {
  write_safetensors(path() / "model.safetensors", random_weights());
  const auto loaded = load_model_weights(path(), config(), {.type = torch::kBFloat16});
  EXPECT_TRUE(torch::equal(loaded[0].tensor, random_weights()[0].tensor.to(torch::kBFloat16)));
}

TEST_F(ModelFolderTest, SavingInShardsAndLoadingGivesTheSameWeights) {
  base::write_file_atomic(path() / "tokenizer.json", "{}\n");
  base::write_file_atomic(path() / "optimizer.pt", "not the model's");
  const auto weights = random_weights();
  const base::TemporaryFolder target;
  save_model_folder(target / "merged", weights, {.source = path(), .shard_bytes = 1000});
  const auto loaded =
      load_model_weights(target / "merged", read_model_config(target / "merged"), {.type = torch::kFloat32});
  expect_equal(loaded, weights);
  EXPECT_EQ(base::read_file(target / "merged/tokenizer.json"), "{}\n");
  EXPECT_FALSE(fs::exists(target / "merged/optimizer.pt"));
  const base::Json index = base::read_json_file(target / "merged/model.safetensors.index.json");
  EXPECT_EQ(index["metadata"]["total_size"], config().parameters() * 4);
  EXPECT_EQ(index["weight_map"]["model.embed_tokens.weight"], "model-00001-of-00006.safetensors");
}

TEST_F(ModelFolderTest, ASmallModelIsOneFileAndItsConfigurationNamesTheType) {
  auto weights = random_weights();
  for (NamedTensor& weight : weights) weight.tensor = weight.tensor.to(torch::kBFloat16);
  const base::TemporaryFolder target;
  save_model_folder(target.path(), weights, {.source = path()});
  EXPECT_TRUE(fs::exists(target / "model.safetensors"));
  EXPECT_FALSE(fs::exists(target / "model.safetensors.index.json"));
  EXPECT_EQ(read_model_config(target.path()).type, torch::kBFloat16);
}

TEST_F(ModelFolderTest, AFolderWithFilesIsNotWrittenTo) {
  const auto weights = random_weights();
  try {
    save_model_folder(path(), weights, {.source = path()});
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(without_path(error.one_line()), "FOLDER has files already (give a new or an empty folder)");
  }
}

TEST_F(ModelFolderTest, MissingWeights) {
  EXPECT_EQ(
      failure(),
      "FOLDER has neither model.safetensors nor model.safetensors.index.json (download the model again)");
  base::write_file_atomic(path() / "model-q4_k_m.gguf", "GGUF");
  EXPECT_EQ(
      failure(),
      "FOLDER has neither model.safetensors nor model.safetensors.index.json (GGUF is not read: take the "
      "model's folder with safetensors)");
  fs::remove(path() / "model-q4_k_m.gguf");
  base::write_file_atomic(path() / "pytorch_model.bin", "");
  EXPECT_EQ(failure(),
            "FOLDER has neither model.safetensors nor model.safetensors.index.json (its weights are in "
            "pytorch_model.bin: convert them to safetensors, in Python with AutoModelForCausalLM"
            ".from_pretrained(FOLDER).save_pretrained(FOLDER))");
}

TEST_F(ModelFolderTest, TruncatedWeights) {
  write_safetensors(path() / "model.safetensors", random_weights());
  const auto size = fs::file_size(path() / "model.safetensors");
  fs::resize_file(path() / "model.safetensors", size - 100);
  EXPECT_EQ(failure(),
            fmt::format("FOLDER/model.safetensors: truncated: the header promises {} bytes, the file "
                        "has {} (download it again)",
                        size, size - 100));
}

TEST_F(ModelFolderTest, CorruptWeights) {
  write_safetensors(path() / "model.safetensors", random_weights());
  std::string content = base::read_file(path() / "model.safetensors");
  content[100] = '\0';
  base::write_file_atomic(path() / "model.safetensors", content);
  EXPECT_EQ(failure(),
            "FOLDER/model.safetensors: the header is not valid JSON at byte 101 (download it again)");
}

TEST_F(ModelFolderTest, MisshapedWeights) {
  auto weights = random_weights();
  weights.back().tensor = torch::ones({9});
  write_safetensors(path() / "model.safetensors", weights);
  EXPECT_EQ(
      failure(),
      "FOLDER/model.safetensors: tensor \"model.norm.weight\" has the shape [9], but config.json asks for "
      "[8] (config.json and the weights are of different models, or the file is damaged)");
}

TEST_F(ModelFolderTest, MisnamedWeights) {
  auto weights = random_weights();
  weights.back().name = "model.final_norm.weight";
  write_safetensors(path() / "model.safetensors", weights);
  EXPECT_EQ(
      failure(),
      "FOLDER: the weights have no tensor \"model.norm.weight\" (config.json asks for it; the two are of "
      "different models, or a file is damaged)");
}

TEST_F(ModelFolderTest, LeftOverWeights) {
  auto weights = random_weights();
  weights.push_back({"model.layers.2.mlp.up_proj.weight", torch::ones({12, 8})});
  write_safetensors(path() / "model.safetensors", weights);
  EXPECT_EQ(
      failure(),
      "FOLDER/model.safetensors: tensor \"model.layers.2.mlp.up_proj.weight\" belongs to no part of a "
      "Qwen2ForCausalLM as config.json describes it (config.json and the weights are of different models, "
      "or the file is damaged)");
}

TEST_F(ModelFolderTest, WeightsOfAWrongType) {
  auto weights = random_weights();
  weights.back().tensor = torch::ones({8}, torch::kInt32);
  write_safetensors(path() / "model.safetensors", weights);
  EXPECT_EQ(
      failure(),
      "FOLDER/model.safetensors: tensor \"model.norm.weight\" has the type Int, not a floating-point one "
      "(quantized weights are not supported; take the model in bfloat16)");
}

class ShardedModelTest : public ModelFolderTest {
 protected:
  ShardedModelTest() {
    const auto weights = random_weights();
    write_safetensors(path() / "a.safetensors", {weights.begin(), weights.begin() + 5});
    write_safetensors(path() / "b.safetensors", {weights.begin() + 5, weights.end()});
    for (size_t i = 0; i < weights.size(); ++i) {
      map_[weights[i].name] = i < 5 ? "a.safetensors" : "b.safetensors";
    }
  }

  std::string failure_with_index() {
    base::write_json_file(path() / "model.safetensors.index.json", {{"weight_map", map_}});
    return failure();
  }

  base::Json map_;
};

TEST_F(ShardedModelTest, Loads) { EXPECT_EQ(failure_with_index(), "loaded"); }

TEST_F(ShardedModelTest, MissingShard) {
  fs::remove(path() / "b.safetensors");
  EXPECT_EQ(failure_with_index(),
            "FOLDER/model.safetensors.index.json: the shard \"b.safetensors\" is missing (download the model "
            "again)");
}

TEST_F(ShardedModelTest, TensorMissingFromItsShard) {
  map_["model.norm.weight"] = "a.safetensors";
  EXPECT_EQ(
      failure_with_index(),
      "FOLDER/a.safetensors: tensor \"model.norm.weight\" is missing, which model.safetensors.index.json "
      "places here (download the model again)");
}

TEST_F(ShardedModelTest, ShardOutsideTheFolder) {
  for (const char* name : {"../b.safetensors", "/etc/passwd", "..", ""}) {
    map_["model.norm.weight"] = name;
    EXPECT_EQ(
        failure_with_index(),
        fmt::format("FOLDER/model.safetensors.index.json: the shard \"{}\" lies outside the model's folder "
                    "(do not use this model: its index is wrong or forged)",
                    name));
  }
}

TEST_F(ShardedModelTest, TensorInTwoShards) {
  write_safetensors(path() / "c.safetensors", {{"model.norm.weight", torch::ones({8})},
                                               {"model.embed_tokens.weight", torch::ones({20, 8})}});
  map_["model.norm.weight"] = "c.safetensors";
  EXPECT_EQ(failure_with_index(),
            "FOLDER/c.safetensors: tensor \"model.norm.weight\" is also in b.safetensors (download the model "
            "again)");
}

TEST_F(ShardedModelTest, IndexWithoutMap) {
  const std::string field = "FOLDER/model.safetensors.index.json: field 'weight_map' must ";
  map_ = base::Json::array();
  EXPECT_EQ(failure_with_index(), field + "be an object, found a list (download the model again)");
  map_ = base::Json::object();
  EXPECT_EQ(failure_with_index(), field + "name a shard for every weight (download the model again)");
}

TEST(RandomModelWeights, AreNormalAndEachItsOwn) {
  base::Json json = tiny_config();
  json["vocab_size"] = 10'000;
  const ModelConfig config = model_config_from_json(json, "config.json");
  const auto weights =
      random_model_weights(config, {.type = torch::kFloat32}, base::RandomStream(3, "weights"));
  const torch::Tensor embeddings = weights.front().tensor;
  EXPECT_NEAR(embeddings.mean().item<double>(), 0, 5 * 0.02 / std::sqrt(80'000.0));
  EXPECT_NEAR(embeddings.std().item<double>(), 0.02, 5 * 0.02 / std::sqrt(160'000.0));
  // Draw by draw: the same whatever the number of threads.
  base::RandomStream draws = base::RandomStream(3, "weights").child("model.embed_tokens.weight");
  const auto* values = embeddings.data_ptr<float>();
  for (int64_t i = 0; i < embeddings.numel(); ++i) {
    ASSERT_EQ(values[i], static_cast<float>(0.02 * draws.normal())) << i;
  }
  for (const auto& [name, tensor] : weights) {
    if (tensor.dim() != 1) continue;
    const double wanted = name.ends_with("norm.weight") ? 1 : 0;
    EXPECT_TRUE(torch::equal(tensor, torch::full_like(tensor, wanted))) << name;
  }
}

TEST(RandomModelWeights, AWeightDoesNotDependOnTheOthers) {
  const ModelConfig tied = model_config_from_json(tiny_config(true), "config.json");
  ModelConfig larger = tied;
  larger.layers = 3;
  const auto a = random_model_weights(tied, {}, base::RandomStream(3, "weights"));
  const auto b = random_model_weights(larger, {}, base::RandomStream(3, "weights"));
  EXPECT_TRUE(torch::equal(a[10].tensor, b[10].tensor));
  EXPECT_EQ(a[10].tensor.scalar_type(), torch::kBFloat16);
}

class ModelFolderGpu : public ModelFolderTest {};

// The embeddings are larger than two of the blocks that travel to the GPU, and no multiple of one.
TEST_F(ModelFolderGpu, LoadsWhatTheCpuLoads) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "skipped: no GPU";
  base::Json json = tiny_config();
  json["vocab_size"] = 5'000'001;
  base::write_json_file(path() / "config.json", json);
  write_safetensors(path() / "model.safetensors", random_weights());
  for (const torch::ScalarType type : {torch::kFloat32, torch::kBFloat16}) {
    const auto wanted = load_model_weights(path(), config(), {.type = type});
    const auto loaded = load_model_weights(path(), config(), {.type = type, .device = torch::kCUDA});
    ASSERT_EQ(loaded.size(), wanted.size());
    for (size_t i = 0; i < loaded.size(); ++i) {
      EXPECT_TRUE(torch::equal(loaded[i].tensor.cpu(), wanted[i].tensor)) << loaded[i].name;
    }
  }
}

TEST_F(ModelFolderGpu, RandomWeightsRepeatAndSmallOnesAreTheCpus) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "skipped: no GPU";
  base::Json json = tiny_config();
  json["vocab_size"] = 200'000;
  const ModelConfig large = model_config_from_json(json, "config.json");
  const WeightOptions on_gpu{.type = torch::kFloat32, .device = torch::kCUDA};
  const auto a = random_model_weights(large, on_gpu, base::RandomStream(3, "weights"));
  const auto b = random_model_weights(large, on_gpu, base::RandomStream(3, "weights"));
  EXPECT_TRUE(torch::equal(a[0].tensor, b[0].tensor));
  EXPECT_NEAR(a[0].tensor.std().item<double>(), 0.02, 5 * 0.02 / std::sqrt(3'200'000.0));
  const auto on_cpu =
      random_model_weights(large, {.type = torch::kFloat32}, base::RandomStream(3, "weights"));
  EXPECT_TRUE(torch::equal(a[2].tensor.cpu(), on_cpu[2].tensor));
}

}  // namespace
}  // namespace cuset::model
