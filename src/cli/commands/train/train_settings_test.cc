#include "cli/commands/train/train_settings.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::cli {
namespace {

// The keys of a command line, given as key=value.
class TrainKeysTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* file : {"data.jsonl", "config.json", "tokenizer.json"})
      base::write_file_atomic(folder_ / file, "");
  }

  train::TrainingSettings settings(const std::vector<std::string>& pairs) const {
    TrainKeys keys;
    Settings settings;
    keys.declare(settings);
    settings.assign_pair("model_name_or_path=" + folder_.path().string());
    settings.assign_pair("dataset=" + (folder_ / "data.jsonl").string());
    settings.assign_pair("output_dir=run");
    for (const std::string& pair : pairs) settings.assign_pair(pair);
    return keys.resolve(settings);
  }

  std::string complaint(const std::vector<std::string>& pairs) const {
    try {
      settings(pairs);
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return "accepted";
  }

  base::TemporaryFolder folder_;
};

TEST_F(TrainKeysTest, DefaultsAreThePapers) {
  const train::TrainingSettings run = settings({});
  EXPECT_EQ(run.step.objective.method, objective::Method::kCuset);
  EXPECT_EQ(run.model.lora.rank, 8);
  EXPECT_EQ(run.model.lora.alpha, 16);
  EXPECT_EQ(run.model.lora.dropout, 0.05);
  EXPECT_TRUE(run.model.lora.targets.empty()) << "all";
  EXPECT_EQ(run.schedule.learning_rate, 1e-4);
  EXPECT_EQ(run.order.epochs, 3);
  EXPECT_EQ(run.order.batch, 1u);
  EXPECT_EQ(run.order.batching, train::Batching::kSamples);
  EXPECT_EQ(run.data.max_tokens, 4096u);
  EXPECT_EQ(run.data.max_rows, 0u) << "all";
  EXPECT_EQ(run.evaluating.kind, train::EveryNSteps::Kind::kNever);
}

TEST_F(TrainKeysTest, AlphaFollowsTheRank) {
  EXPECT_EQ(settings({"lora_rank=32"}).model.lora.alpha, 64);
  EXPECT_EQ(settings({"lora_rank=32", "lora_alpha=8"}).model.lora.alpha, 8);
}

TEST_F(TrainKeysTest, PacksTakeTheBatchIntoTheAccumulation) {
  for (const char* key : {"packing=true", "neat_packing=true", "batching=packs"}) {
    const train::TrainingSettings run =
        settings({key, "per_device_train_batch_size=2", "gradient_accumulation_steps=4"});
    EXPECT_EQ(run.order.batching, train::Batching::kPacks);
    EXPECT_EQ(run.order.accumulation, 8u);
  }
  EXPECT_EQ(settings({"batching=packed_samples"}).order.batching, train::Batching::kPackedSamples);
}

TEST_F(TrainKeysTest, LlamaFactorysSwitchesChooseTheObjective) {
  EXPECT_EQ(settings({"use_dft_loss=true"}).step.objective.method, objective::Method::kDft);
  EXPECT_EQ(settings({"use_eaft_loss=true"}).step.objective.method, objective::Method::kEaft);
  EXPECT_EQ(settings({"use_asft_loss=true", "objective=asft"}).step.objective.method,
            objective::Method::kAsft);
  EXPECT_EQ(complaint({"use_dft_loss=true", "use_eaft_loss=true"}),
            "use_eaft_loss and objective: dft exclude each other");
  EXPECT_EQ(complaint({"objective=asft", "finetuning_type=full"}),
            "objective: asft needs finetuning_type: lora: its reference is the model without the adapter");
}

TEST_F(TrainKeysTest, CusetPlusHasCusetsPartsOnRequest) {
  const auto objective = [&](std::vector<std::string> keys) { return settings(keys).step.objective; };
  EXPECT_TRUE(objective({"objective=cuset"}).cuda_mask);
  EXPECT_TRUE(objective({"objective=cuset"}).sample_weight);
  EXPECT_TRUE(objective({"objective=cuset_plus"}).confidence_mask);
  EXPECT_FALSE(objective({"objective=cuset_plus"}).cuda_mask);
  EXPECT_FALSE(objective({"objective=cuset_plus"}).sample_weight);
  EXPECT_TRUE(objective({"objective=cuset_plus", "cuda_mask=true"}).cuda_mask);
  EXPECT_TRUE(objective({"objective=cuset_plus", "sample_weight=true"}).sample_weight);
}

TEST_F(TrainKeysTest, EvaluationFollowsItsData) {
  EXPECT_EQ(settings({"val_size=0.1"}).evaluating.kind, train::EveryNSteps::Kind::kEpochs);
  const train::TrainingSettings run = settings({"val_size=0.1", "eval_steps=25"});
  EXPECT_EQ(run.evaluating.kind, train::EveryNSteps::Kind::kSteps);
  EXPECT_EQ(run.evaluating.steps, 25);
  EXPECT_EQ(complaint({"evaluation_strategy=steps"}),
            "eval_strategy is steps, but there is no evaluation data");
  EXPECT_EQ(complaint({"load_best_model_at_end=true"}), "load_best_model_at_end needs an evaluation");
  EXPECT_TRUE(settings({"val_size=0.1", "metric_for_best_model=eval_accuracy"}).early_stop.greater_is_better);
  EXPECT_EQ(complaint({"val_size=1", "greater_is_better=true"}),
            "greater_is_better is true, but of eval_loss the smaller is better");
}

TEST_F(TrainKeysTest, ResumeTakesTrueOrAPath) {
  EXPECT_TRUE(settings({"resume=true"}).run.resume);
  EXPECT_TRUE(settings({"resume_from_checkpoint=true"}).run.resume);
  EXPECT_FALSE(settings({"resume_from_checkpoint=false"}).run.resume);
  EXPECT_EQ(settings({"resume_from_checkpoint=run/checkpoint-5"}).run.resume_from, "run/checkpoint-5");
}

TEST_F(TrainKeysTest, RandomWeightsAreTrainedWhole) {
  EXPECT_TRUE(settings({"from_scratch=true"}).model.full);
  EXPECT_EQ(complaint({"from_scratch=true", "finetuning_type=lora"}),
            "from_scratch and finetuning_type: lora exclude each other");
}

TEST_F(TrainKeysTest, ValuesOutOfRangeAreNamed) {
  EXPECT_EQ(complaint({"lora_alpha=-3"}), "lora_alpha is -3, but must be at least 0");
  EXPECT_EQ(complaint({"learning_rate=0"}),
            "learning_rate is 0, but must be above 0: nothing would be learned");
  EXPECT_EQ(complaint({"learning_rate=-1"}),
            "learning_rate is -1, but must be above 0: nothing would be learned");
  EXPECT_EQ(complaint({"lora_rank=0"}), "lora_rank is 0, but must be at least 1");
  EXPECT_EQ(complaint({"num_train_epochs=0"}), "num_train_epochs is 0, but must be above 0");
  EXPECT_EQ(complaint({"num_train_epochs=0", "max_steps=5"}), "accepted");
  EXPECT_EQ(complaint({"save_steps=0"}), "save_steps is 0, but must be at least 1");
  EXPECT_EQ(complaint({"seed=-1"}), "seed is -1, but must be at least 0");
  EXPECT_EQ(complaint({"max_samples=-1"}), "limit is -1, but must be at least 0");
  EXPECT_EQ(complaint({"bf16=true", "dtype=float32"}), "bf16 and dtype: float32 exclude each other");
}

}  // namespace
}  // namespace cuset::cli
