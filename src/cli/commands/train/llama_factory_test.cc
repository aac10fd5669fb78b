#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "base/lines.h"
#include "cli/commands/train/llama_factory_file.h"
#include "cli/commands/train/train_settings.h"

namespace cuset::cli {
namespace {

class LlamaFactoryTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* file : {"config.json", "tokenizer.json"}) base::write_file_atomic(folder_ / file, "{}");
    base::write_file_atomic(folder_ / "mine.json", "[]");
    base::write_file_atomic(folder_ / "dataset_info.json",
                            R"({"mine": {"file_name": "mine.json"},
                                "judged": {"file_name": "mine.json", "columns": {"kto_tag": "label"}}})");
  }

  train::TrainingSettings settings(const std::string& text,
                                   const std::vector<std::string>& pairs = {}) const {
    const auto file = folder_ / "train.yaml";
    base::write_file_atomic(file, text);
    TrainKeys keys;
    Settings settings;
    keys.declare(settings);
    settings.apply_config_file(file);
    settings.assign_pair("model=" + folder_.path().string());
    settings.assign_pair("dataset_dir=" + folder_.path().string());
    settings.assign_pair("output=run");
    if (!settings.is_given("data")) settings.assign_pair("data=mine");
    for (const std::string& pair : pairs) settings.assign_pair(pair);
    return keys.resolve(settings);
  }

  std::string complaint(const std::string& text) const {
    try {
      settings(text);
    } catch (const base::UsageError& error) {
      const std::string message = error.what();
      const size_t at = message.find("train.yaml:");
      return at == message.npos ? message : message.substr(at);
    }
    return "accepted";
  }

  base::TemporaryFolder folder_;
};

TEST_F(LlamaFactoryTest, FilesAreRecognizedByTheirKeys) {
  const auto origin = [](const char* text) { return origin_of(base::parse_config(text, "f")); };
  EXPECT_EQ(origin("model: M\ndata: d\nfinetuning_type: lora\n"), FileOrigin::kCuset);
  EXPECT_EQ(origin("stage: sft\n"), FileOrigin::kLlamaFactory);
  EXPECT_EQ(origin("stage: grpo\n"), FileOrigin::kCuset);
  EXPECT_EQ(origin("template: qwen\n"), FileOrigin::kLlamaFactory);
  EXPECT_EQ(origin("stage: sft\ntrain_dataset: d.yaml\n"), FileOrigin::kLlamaFactoryV1);
}

TEST_F(LlamaFactoryTest, AFileMeansWhatItMeansThere) {
  const train::TrainingSettings run = settings("stage: sft\ndataset: mine\n");
  EXPECT_EQ(run.step.objective.method, objective::Method::kSft);
  EXPECT_EQ(run.model.lora.dropout, 0);
  EXPECT_EQ(run.data.over_length, data::OverLength::kTruncateTurns);
  EXPECT_EQ(run.data.max_tokens, 2048u);
  EXPECT_EQ(run.data.learn, data::Learn::kAllAnswers);
  EXPECT_EQ(run.schedule.learning_rate, 5e-5);
  EXPECT_EQ(run.schedule.kind, train::ScheduleKind::kLinear);
  EXPECT_EQ(run.order.batch, 8u);
  EXPECT_TRUE(run.step.recompute);
  EXPECT_EQ(run.data.files.at(0).file, folder_ / "mine.json");
}

TEST_F(LlamaFactoryTest, WhatTheFileOrTheCommandLineSaysCounts) {
  EXPECT_EQ(settings("stage: sft\nobjective: cuset\n").step.objective.method, objective::Method::kCuset);
  EXPECT_EQ(settings("stage: sft\n", {"objective=dft"}).step.objective.method, objective::Method::kDft);
  EXPECT_EQ(settings("stage: sft\nuse_eaft_loss: true\neaft_alpha: 2\n").step.objective.entropy_exponent, 2);
  EXPECT_EQ(settings("stage: sft\nmask_history: true\n").data.learn, data::Learn::kLastAnswer);
  EXPECT_EQ(settings("stage: sft\ntrain_on_prompt: true\n").data.learn, data::Learn::kEverything);
  EXPECT_EQ(settings("stage: sft\nlora_dropout: 0.1\n").model.lora.dropout, 0.1);
  EXPECT_FALSE(settings("stage: sft\ndisable_gradient_checkpointing: true\n").step.recompute);
  EXPECT_EQ(settings("stage: sft\nloraplus_lr_ratio: 16.0\n").optimizer.lora_plus_ratio, 16);
  EXPECT_EQ(settings("model: x\n").step.objective.method, objective::Method::kCuset) << "our own file";
}

TEST_F(LlamaFactoryTest, MinimumLearningRateInEitherForm) {
  const std::string head = "stage: sft\nlr_scheduler_type: cosine_with_min_lr\nlearning_rate: 1.0e-4\n";
  EXPECT_DOUBLE_EQ(settings(head + "lr_scheduler_kwargs:\n  min_lr: 1.0e-5\n").schedule.min_rate(), 0.1);
  EXPECT_DOUBLE_EQ(settings(head + "lr_scheduler_kwargs: '{\"min_lr_rate\": 0.2}'\n").schedule.min_rate(),
                   0.2);
}

TEST_F(LlamaFactoryTest, PretrainingLearnsTextsInPacks) {
  const train::TrainingSettings run = settings("stage: pt\ndataset: mine\n");
  EXPECT_TRUE(run.data.files.at(0).form->is_document);
  EXPECT_EQ(run.order.batching, train::Batching::kPacks);
}

TEST_F(LlamaFactoryTest, WhatIsNotThereIsNotATypo) {
  EXPECT_EQ(complaint("stage: dpo\n"),
            "train.yaml:1: stage: \"dpo\" is not supported by cuset: there is no training on preferences");
  EXPECT_EQ(
      complaint("stage: sft\nfinetuning_type: oft\n"),
      "train.yaml:2: finetuning_type: \"oft\" is not supported by cuset: there is LoRA and full training");
  EXPECT_EQ(complaint("stage: sft\nuse_galore: true\n"),
            "train.yaml:2: use_galore: not supported by cuset: the optimizer is AdamW");
  EXPECT_EQ(complaint("stage: sft\nuse_galore: false\nquantization_bit: null\nmix_strategy: concat\n"),
            "accepted");
  EXPECT_EQ(complaint("stage: sft\ndeepspeed: ds.json\nfsdp: [full_shard, auto_wrap]\nray_num_workers: 4\n"),
            "accepted");
  EXPECT_EQ(complaint("stage: sft\nfsdp_config:\n  min_num_params: 0\n"), "accepted");
  EXPECT_EQ(complaint("stage: sft\nlora_rnk: 4\n"),
            "train.yaml:2: unknown key 'lora_rnk'; did you mean 'lora_rank'?");
  EXPECT_EQ(complaint("stage: sft\nmine:\n  a: 1\n"), "train.yaml:3: key 'mine' holds a nested structure");
  EXPECT_EQ(
      complaint("stage: sft\ndataset: judged\n"),
      "dataset: \"judged\" is not supported by cuset: it is preference data (\"kto_tag\"), for stage kto");
}

TEST_F(LlamaFactoryTest, VersionOneIsTranslated) {
  const std::string sets = (folder_ / "sets.yaml").string();
  base::write_file_atomic(sets, fmt::format("mine:\n  path: {}\n  source: local\n  converter: alpaca\n",
                                            (folder_ / "mine.json").string()));
  const std::string head =
      "model_class: llm\nkernel_config:\n  name: auto\nquant_config: null\ntrain_dataset: " + sets + "\n";
  const train::TrainingSettings lora =
      settings(head +
               "peft_config:\n  name: lora\n  r: 16\n  lora_alpha: 32\n  target_modules: all\n"
               "micro_batch_size: 2\nglobal_batch_size: 8\n");
  EXPECT_FALSE(lora.model.full);
  EXPECT_EQ(lora.model.lora.rank, 16);
  EXPECT_EQ(lora.order.batch, 2u);
  EXPECT_EQ(lora.order.accumulation, 4u);
  EXPECT_EQ(lora.schedule.kind, train::ScheduleKind::kConstant);
  EXPECT_TRUE(settings(head).model.full);
  EXPECT_EQ(settings(head + "batching_strategy: dynamic_batching\n").order.batching, train::Batching::kPacks);
  EXPECT_EQ(complaint(head + "optim_config:\n  name: muon\n"),
            "train.yaml:7: optim_config.name: \"muon\" is not supported by cuset: the optimizer is AdamW");
  EXPECT_EQ(
      complaint(head + "peft_config:\n  name: freeze\n"),
      "train.yaml:7: peft_config.name: \"freeze\" is not supported by cuset: there is LoRA and full training");
  EXPECT_EQ(complaint(head + "cp_size: 1\n"), "accepted");
}

TEST_F(LlamaFactoryTest, KeysThatWorkAreSettingsAndNoOthers) {
  TrainKeys keys;
  Settings settings;
  keys.declare(settings);
  for (const LlamaFactoryKey& key : llama_factory_keys()) {
    if (key.status == KeyStatus::kWorks) {
      EXPECT_TRUE(settings.knows(key.key)) << key.key;
    } else if (key.status == KeyStatus::kRefused) {
      EXPECT_FALSE(settings.knows(key.key)) << key.key;
      EXPECT_FALSE(key.note.empty()) << key.key;
    } else {
      EXPECT_FALSE(key.note.empty()) << key.key;
    }
  }
}

// The rows of the page's tables: key -> "status | note".
std::map<std::string, std::string> rows_of_page() {
  std::map<std::string, std::string> rows;
  const std::string page = base::read_file("docs/llama-factory.md");
  for (const std::string_view line : base::lines_of(page)) {
    for (const char* status : {"works", "ignored", "refused"}) {
      const size_t at = line.find(fmt::format("` | {} |", status));
      if (!line.starts_with("| `") || at == line.npos) continue;
      rows[std::string(line.substr(3, at - 3))] = std::string(line.substr(at + 4, line.size() - at - 6));
    }
  }
  return rows;
}

TEST_F(LlamaFactoryTest, ThePageListsEveryKey) {
  std::map<std::string, std::string> wanted;
  for (const auto* keys : {&llama_factory_keys(), &v1_keys()}) {
    for (const LlamaFactoryKey& key : *keys) {
      const std::string note =
          key.neutral.empty() ? key.note : fmt::format("{}; `{}` is accepted", key.note, key.neutral);
      wanted[key.key] = fmt::format("{} | {}", name_of(key.status), note);
    }
  }
  std::string table;  // what to paste into the page
  for (const auto& [key, row] : wanted) table += fmt::format("| `{}` | {} |\n", key, row);
  EXPECT_EQ(rows_of_page(), wanted) << table;
}

}  // namespace
}  // namespace cuset::cli
