#include "model/merge.h"

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "model/adapter.h"
#include "model/decoder.h"
#include "model/files/config.h"
#include "model/model_folder.h"
#include "support/tiny_model.h"

namespace cuset::model {
namespace {

namespace fs = std::filesystem;

// A random base model and an adapter for it with weights that matter.
class Merge : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "source");
    base::write_json_file(folder_ / "source/config.json",
                          support::tiny_model_config(64, {{"initializer_range", 0.2}}));
    base::write_file_atomic(folder_ / "source/tokenizer.json", "{}");
    const ModelConfig config = read_model_config(folder_ / "source");
    auto weights = random_model_weights(config, {.type = torch::kFloat32}, base::RandomStream(1, "model"));
    save_model_folder(base_, weights, {.source = folder_ / "source"});
    Decoder decoder(config, std::move(weights));
    decoder.add_adapter({.rank = 4, .alpha = 8, .targets = {"q_proj", "up_proj"}},
                        base::RandomStream(1, "adapter"));
    torch::manual_seed(1);
    decoder.trained().master().normal_(0, 0.2);
    write_adapter(adapter_, decoder.adapter(base_.string()));
  }

  base::TemporaryFolder folder_;
  fs::path base_ = folder_ / "base";
  fs::path adapter_ = folder_ / "adapter";
  fs::path output_ = folder_ / "merged";
};

TEST_F(Merge, WritesAFolderThatAnswersAsBaseAndAdapter) {
  const MergeCheck check =
      merge_adapter({.model = base_, .adapter = adapter_, .output = output_, .type = ""});
  EXPECT_LT(check.merged_difference, 1e-5);
  EXPECT_GT(check.adapter_difference, 0.05);
  EXPECT_EQ(base::read_file(output_ / "tokenizer.json"), "{}");
  EXPECT_EQ(read_model_config(output_).type, torch::kFloat32);
  const SafetensorsFile before(base_ / "model.safetensors");
  const SafetensorsFile after(output_ / "model.safetensors");
  const auto same = [&](const char* name) {
    return torch::equal(before.view(*before.find(name)), after.view(*after.find(name)));
  };
  EXPECT_TRUE(same("model.layers.0.self_attn.k_proj.weight"));
  EXPECT_FALSE(same("model.layers.0.self_attn.q_proj.weight"));
}

TEST_F(Merge, WritesBFloat16WhereAsked) {
  const MergeCheck check =
      merge_adapter({.model = base_, .adapter = adapter_, .output = output_, .type = "bfloat16"});
  EXPECT_GT(check.merged_difference, 0);
  EXPECT_EQ(read_model_config(output_).type, torch::kBFloat16);
}

TEST_F(Merge, AnEmptyFolderIsTaken) {
  fs::create_directories(output_);
  merge_adapter({.model = base_, .adapter = adapter_, .output = output_ / "", .type = ""});
  EXPECT_TRUE(fs::exists(output_ / "model.safetensors"));
}

TEST_F(Merge, FilledFoldersAreRefused) {
  EXPECT_THROW(merge_adapter({.model = base_, .adapter = adapter_, .output = base_, .type = ""}),
               base::Error);
  EXPECT_TRUE(fs::exists(base_ / "model.safetensors"));
}

TEST_F(Merge, FailureLeavesNothingBehind) {
  fs::remove(base_ / "model.safetensors");
  EXPECT_THROW(merge_adapter({.model = base_, .adapter = adapter_, .output = output_, .type = ""}),
               base::Error);
  EXPECT_THROW(merge_adapter({.model = base_, .adapter = folder_ / "none", .output = output_, .type = ""}),
               base::Error);
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("merged")) << entry.path();
  }
}

TEST_F(Merge, NotANumberFailsTheCheck) {
  Adapter adapter = read_adapter(adapter_, read_model_config(base_));
  for (NamedTensor& tensor : adapter.tensors) tensor.tensor.fill_(std::nanf(""));
  write_adapter(adapter_, adapter);
  EXPECT_THROW(merge_adapter({.model = base_, .adapter = adapter_, .output = output_, .type = ""}),
               base::Error);
  EXPECT_FALSE(fs::exists(output_));
}

}  // namespace
}  // namespace cuset::model
