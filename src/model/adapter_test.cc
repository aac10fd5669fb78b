#include "model/adapter.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/fault_injection.h"

namespace cuset::model {
namespace {

namespace fs = std::filesystem;

const ModelConfig kConfig{
    .hidden = 8, .layers = 2, .heads = 4, .kv_heads = 2, .head_dim = 4, .intermediate = 12, .vocab = 20};

Adapter some_adapter(LoraSettings settings = {.rank = 3, .alpha = 6, .dropout = 0.1}) {
  if (settings.targets.empty()) settings.targets = {"q_proj", "down_proj"};
  Adapter adapter{.settings = settings, .base_model = "models/base", .tensors = {}};
  double value = 0;
  for (const TrainedWeight& weight : lora_weights(lora_targets(kConfig, settings), settings.rank)) {
    adapter.tensors.push_back({weight.name, torch::full(weight.shape, value += 0.5)});
  }
  return adapter;
}

class AdapterTest : public ::testing::Test {
 protected:
  AdapterTest() { write_adapter(path(), some_adapter()); }

  fs::path path() const { return folder_ / "adapter"; }

  void change_config(const base::Json& changes) const {
    base::Json config = base::read_json_file(path() / "adapter_config.json");
    config.update(changes);
    base::write_json_file(path() / "adapter_config.json", config);
  }

  // The message of reading, with the folder's own path as FOLDER.
  std::string failure() const {
    try {
      read_adapter(path(), kConfig);
    } catch (const base::Error& error) {
      std::string text = error.one_line();
      const std::string own = path().string();
      if (const size_t at = text.find(own); at != std::string::npos) text.replace(at, own.size(), "FOLDER");
      return text;
    }
    return "read";
  }

  base::TemporaryFolder folder_;
};

TEST_F(AdapterTest, WhatIsWrittenIsRead) {
  const Adapter read = read_adapter(path(), kConfig);
  const Adapter wanted = some_adapter();
  EXPECT_EQ(read.settings.rank, 3);
  EXPECT_EQ(read.settings.alpha, 6);
  EXPECT_EQ(read.settings.dropout, 0.1);
  EXPECT_FALSE(read.settings.rank_stabilized);
  EXPECT_EQ(read.settings.targets, wanted.settings.targets);
  EXPECT_EQ(read.base_model, "models/base");
  ASSERT_EQ(read.tensors.size(), wanted.tensors.size());
  for (size_t i = 0; i < wanted.tensors.size(); ++i) {
    EXPECT_EQ(read.tensors[i].name, wanted.tensors[i].name);
    EXPECT_TRUE(torch::equal(read.tensors[i].tensor, wanted.tensors[i].tensor));
  }
}

TEST_F(AdapterTest, TheConfigurationIsPefts) {
  EXPECT_EQ(
      base::to_json_line(base::read_json_file(path() / "adapter_config.json")),
      R"({"alpha_pattern":{},"auto_mapping":null,"base_model_name_or_path":"models/base","bias":"none",)"
      R"("fan_in_fan_out":false,"inference_mode":true,"init_lora_weights":true,"layers_pattern":null,)"
      R"("layers_to_transform":null,"lora_alpha":6,"lora_dropout":0.1,"modules_to_save":null,)"
      R"("peft_type":"LORA","r":3,"rank_pattern":{},"revision":null,)"
      R"("target_modules":["q_proj","down_proj"],"task_type":"CAUSAL_LM","use_dora":false,)"
      R"("use_rslora":false})");
}

TEST_F(AdapterTest, TargetsAreTakenFromTheTensors) {
  change_config({{"target_modules", ".*(q|down)_proj"}, {"use_rslora", true}, {"lora_alpha", 2.5}});
  const Adapter read = read_adapter(path(), kConfig);
  EXPECT_EQ(read.settings.targets, some_adapter().settings.targets);
  EXPECT_TRUE(read.settings.rank_stabilized);
  EXPECT_EQ(read.settings.alpha, 2.5);
}

TEST_F(AdapterTest, RefusesWhatItCannotCompute) {
  const std::vector<std::pair<base::Json, const char*>> cases = {
      {{{"peft_type", "IA3"}}, R"(field 'peft_type' must be "LORA", found the string "IA3")"},
      {{{"use_dora", true}},
       R"(field 'use_dora' is true, which is not supported (merge this adapter with PEFT, or train without it))"},
      {{{"modules_to_save", {"lm_head"}}},
       R"(field 'modules_to_save' is a list, which is not supported (merge this adapter with PEFT, or train without it))"},
      {{{"rank_pattern", {{"q_proj", 4}}}},
       R"(field 'rank_pattern' is an object, which is not supported (merge this adapter with PEFT, or train without it))"},
      {{{"alpha_pattern", {{"q_proj", 4}}}},
       R"(field 'alpha_pattern' is an object, which is not supported (merge this adapter with PEFT, or train without it))"},
      {{{"fan_in_fan_out", true}},
       R"(field 'fan_in_fan_out' is true, which is not supported (merge this adapter with PEFT, or train without it))"},
      {{{"layers_to_transform", {0}}},
       R"(field 'layers_to_transform' is a list, which is not supported (merge this adapter with PEFT, or train without it))"},
      {{{"some_new_key", "on"}},
       R"(field 'some_new_key' is the string "on", which is not supported (merge this adapter with PEFT, or train without it))"},
      {{{"bias", "all"}}, R"(field 'bias' must be "none", found the string "all")"},
      {{{"init_lora_weights", "pissa_niter_4"}},
       R"(field 'init_lora_weights' is "pissa_niter_4", which changes the base model (save the adapter with PEFT's path_initial_model_for_weight_conversion))"},
      {{{"r", 0}}, R"(field 'r' must be a whole number from 1 to 65536, found the number 0)"},
      {{{"lora_alpha", nullptr}}, R"(field 'lora_alpha' must be a number, found null)"},
      {{{"lora_alpha", 1e300}},
       R"(field 'lora_alpha' must be a number from 1e-09 to 1000000000, found the number 1e+300)"},
      {{{"lora_dropout", 1}},
       R"(field 'lora_dropout' must be a number of at least 0 and below 1, found the number 1)"},
  };
  const base::Json good = base::read_json_file(path() / "adapter_config.json");
  for (const auto& [changes, message] : cases) {
    base::write_json_file(path() / "adapter_config.json", good);
    change_config(changes);
    EXPECT_EQ(failure(), std::string("FOLDER/adapter_config.json: ") + message);
  }
}

TEST_F(AdapterTest, TheRankMustFitTheTensors) {
  change_config({{"r", 4}});
  EXPECT_EQ(
      failure(),
      "FOLDER/adapter_model.safetensors: tensor "
      "\"base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight\" has the shape [3, 8], but [4, 8] "
      "follows from the rank in adapter_config.json and the model (the adapter belongs to another base "
      "model, or its files are of different runs)");
}

TEST_F(AdapterTest, BothHalvesMustBeThere) {
  Adapter adapter = some_adapter();
  adapter.tensors.pop_back();
  write_adapter(path(), adapter);
  EXPECT_EQ(
      failure(),
      "FOLDER/adapter_model.safetensors: tensor "
      "\"base_model.model.model.layers.1.mlp.down_proj.lora_B.weight\" is missing (every layer of a target "
      "needs both halves; copy the adapter again)");
}

TEST_F(AdapterTest, TensorsOfAnotherModelAreNamed) {
  Adapter adapter = some_adapter();
  adapter.tensors.push_back(
      {"base_model.model.model.layers.2.mlp.up_proj.lora_A.weight", torch::ones({3, 8})});
  write_adapter(path(), adapter);
  EXPECT_EQ(
      failure(),
      "FOLDER/adapter_model.safetensors: tensor "
      "\"base_model.model.model.layers.2.mlp.up_proj.lora_A.weight\" is not a lora_A or lora_B of a linear "
      "layer of this model (the adapter belongs to another base model, or has parts that are not "
      "supported)");
}

TEST_F(AdapterTest, MissingFilesAreNamed) {
  fs::rename(path() / "adapter_model.safetensors", path() / "adapter_model.bin");
  EXPECT_EQ(failure(),
            "FOLDER has no adapter_model.safetensors (its weights are in adapter_model.bin: load and save it "
            "with PEFT to convert them to safetensors)");
  fs::remove(path() / "adapter_config.json");
  EXPECT_EQ(failure(), "FOLDER has no adapter_config.json (give the folder of a LoRA adapter)");
}

TEST_F(AdapterTest, AFullDiskKeepsTheOldAdapter) {
  // Made here, for LibTorch's threads do not survive the fork.
  Adapter large = some_adapter();
  large.tensors[0].tensor = torch::zeros({1 << 18});
  const Adapter small = some_adapter();
  const base::TemporaryFolder disk;
  const auto said = support::run_on_small_disk(disk.path(), 256 << 10, [&]() -> std::string {
    const fs::path target = disk / "adapter";
    write_adapter(target, small);
    const std::string before = base::read_file(target / "adapter_model.safetensors");
    try {
      write_adapter(target, large);
    } catch (const base::Error& error) {
      if (base::read_file(target / "adapter_model.safetensors") != before) return "the old adapter is gone";
      read_adapter(target, kConfig);
      return error.one_line();
    }
    return "no failure";
  });
  if (!said) GTEST_SKIP() << "cannot mount a small disk here";
  EXPECT_EQ(*said, "cannot write " + (disk / "adapter/adapter_model.safetensors").string() +
                       ": No space left on device (free some space and run again; what was there before is "
                       "untouched)");
}

}  // namespace
}  // namespace cuset::model
