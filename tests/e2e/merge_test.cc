// cuset merge as a user runs it, on a model and an adapter written byte by byte here.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "base/stats/random.h"
#include "e2e/program.h"
#include "support/tiny_model.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAdapterConfig =
    R"({"peft_type": "LORA", "task_type": "CAUSAL_LM", "base_model_name_or_path": "base", "r": 2, "lora_alpha": 6,
"lora_dropout": 0.0, "bias": "none", "target_modules": ["q_proj"], "fan_in_fan_out": false, "use_rslora": false,
"use_dora": false, "modules_to_save": null, "inference_mode": true, "rank_pattern": {}, "alpha_pattern": {}})";

constexpr const char* kAdapted = "model.layers.0.self_attn.q_proj";

support::FloatTensor random_matrix(const std::string& name, std::vector<size_t> shape) {
  base::RandomStream stream(1, name);
  support::FloatTensor matrix{name, std::move(shape), {}};
  const size_t size =
      std::accumulate(matrix.shape.begin(), matrix.shape.end(), size_t{1}, std::multiplies<>());
  while (matrix.values.size() < size) matrix.values.push_back(static_cast<float>(0.5 * stream.normal()));
  return matrix;
}

std::vector<float> read_tensor(const fs::path& path, const std::string& name) {
  const std::string file = base::read_file(path);
  uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof length);
  const base::Json header = base::parse_json(file.substr(8, length), path.string());
  const size_t begin = header.at(name).at("data_offsets")[0];
  const size_t end = header.at(name).at("data_offsets")[1];
  std::vector<float> values((end - begin) / sizeof(float));
  std::memcpy(values.data(), file.data() + 8 + length + begin, end - begin);
  return values;
}

class MergeCommandLine : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(base_);
    fs::create_directories(adapter_);
    base::write_json_file(base_ / "config.json", support::tiny_model_config(16, {{"hidden_size", 8},
                                                                                 {"num_hidden_layers", 1},
                                                                                 {"num_attention_heads", 2},
                                                                                 {"num_key_value_heads", 1},
                                                                                 {"intermediate_size", 12}}));
    const std::string layer = "model.layers.0.";
    support::write_float_tensors(
        base_ / "model.safetensors",
        {random_matrix("model.embed_tokens.weight", {16, 8}),
         random_matrix(layer + "input_layernorm.weight", {8}), weight_,
         random_matrix(layer + "self_attn.k_proj.weight", {4, 8}),
         random_matrix(layer + "self_attn.v_proj.weight", {4, 8}),
         random_matrix(layer + "self_attn.o_proj.weight", {8, 8}),
         random_matrix(layer + "post_attention_layernorm.weight", {8}),
         random_matrix(layer + "mlp.gate_proj.weight", {12, 8}),
         random_matrix(layer + "mlp.up_proj.weight", {12, 8}),
         random_matrix(layer + "mlp.down_proj.weight", {8, 12}), random_matrix("model.norm.weight", {8})});
    base::write_file_atomic(adapter_ / "adapter_config.json", kAdapterConfig);
    support::write_float_tensors(adapter_ / "adapter_model.safetensors", {a_, b_});
  }

  sandbox::ProcessResult merge(std::vector<std::string> flags = {}) const {
    flags.insert(flags.begin(), {"merge", "--model", base_.string(), "--adapter", adapter_.string(),
                                 "--output", output_.string()});
    return run_cuset(flags);
  }

  base::TemporaryFolder folder_;
  fs::path base_ = folder_ / "base";
  fs::path adapter_ = folder_ / "adapter";
  fs::path output_ = folder_ / "merged";
  support::FloatTensor weight_ = random_matrix(std::string(kAdapted) + ".weight", {8, 8});
  support::FloatTensor a_ = random_matrix(fmt::format("base_model.model.{}.lora_A.weight", kAdapted), {2, 8});
  support::FloatTensor b_ = random_matrix(fmt::format("base_model.model.{}.lora_B.weight", kAdapted), {8, 2});
};

TEST_F(MergeCommandLine, AddsTheProductToTheWeight) {
  const sandbox::ProcessResult result = merge();
  ASSERT_EQ(result.exit_status, 0) << result.output;
  EXPECT_NE(result.output.find("written and read back"), std::string::npos) << result.output;
  const std::vector<float> merged = read_tensor(output_ / "model.safetensors", weight_.name);
  ASSERT_EQ(merged.size(), 64u);
  for (size_t row = 0; row < 8; ++row) {
    for (size_t column = 0; column < 8; ++column) {
      double wanted = weight_.values[row * 8 + column];
      for (size_t k = 0; k < 2; ++k) wanted += 3.0 * b_.values[row * 2 + k] * a_.values[k * 8 + column];
      EXPECT_NEAR(merged[row * 8 + column], wanted, 1e-6);
    }
  }
}

TEST_F(MergeCommandLine, AdapterOfAnotherModelIsSaid) {
  EXPECT_EQ(merge().output.find("was trained on"), std::string::npos);
  const fs::path other = folder_ / "other";
  fs::rename(base_, other);
  const sandbox::ProcessResult result =
      run_cuset({"merge", "--model", other.string(), "--adapter", adapter_.string(), "--output",
                 (folder_ / "second").string()});
  EXPECT_EQ(result.exit_status, 0) << result.output;
  EXPECT_NE(result.output.find("adapter was trained on \"base\", not on " + other.string()),
            std::string::npos)
      << result.output;
}

TEST_F(MergeCommandLine, WrongTypeIsWrongUsage) {
  const sandbox::ProcessResult result = merge({"--dtype", "int4"});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_NE(result.output.find("int4"), std::string::npos) << result.output;
}

TEST_F(MergeCommandLine, FilledOutputIsRefused) {
  fs::create_directories(output_);
  base::write_file_atomic(output_ / "notes.txt", "mine");
  const sandbox::ProcessResult result = merge();
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_NE(result.output.find("exists already (choose another --output, or remove it)"), std::string::npos)
      << result.output;
  EXPECT_EQ(base::read_file(output_ / "notes.txt"), "mine");
}

TEST_F(MergeCommandLine, MissingAdapterIsOneLine) {
  fs::remove(adapter_ / "adapter_config.json");
  const sandbox::ProcessResult result = merge();
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_NE(result.output.find("adapter_config.json"), std::string::npos) << result.output;
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
  EXPECT_FALSE(fs::exists(output_));
}

}  // namespace
}  // namespace cuset::tests
