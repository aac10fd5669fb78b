#include "train/trainer.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/jsonl.h"
#include "support/tiny_training.h"
#include "train/run_folder.h"
#include "train/trained_model.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

TrainingSettings settings_in(const fs::path& folder) {
  TrainingSettings settings;
  settings.model.folder = "tiny";
  settings.step.objective.window = 8;
  settings.order.batching = Batching::kSamples;
  settings.order.batch = 2;
  settings.order.accumulation = 2;
  settings.order.epochs = 5;
  settings.schedule.learning_rate = 1e-2;
  settings.logging = {EveryNSteps::Kind::kSteps, 1};
  settings.saving = {};
  settings.run.path = folder;
  return settings;
}

// A model, its data and a trainer.
struct TinyRun {
  TrainingSettings settings;
  std::vector<data::Example> examples;
  std::vector<data::Example> evaluation;
  model::Decoder decoder = support::tiny_decoder();
  Ranks alone;
  Trainer trainer;

  explicit TinyRun(const TrainingSettings& its_settings,
                   std::vector<data::Example> its_examples = support::tiny_examples(8),
                   std::vector<data::Example> its_evaluation = {})
      : settings(its_settings),
        examples(std::move(its_examples)),
        evaluation(std::move(its_evaluation)),
        trainer(
            {.decoder = decoder,
             .examples = examples,
             .evaluation = evaluation,
             .ranks = alone,
             .write_model =
                 [this](const fs::path& path) { write_trained_model(decoder, settings.model, path); },
             .decode = [](std::span<const uint32_t> ids) { return fmt::format("{} tokens", ids.size()); }},
            settings) {}

  std::string complaint() {
    try {
      trainer.run();
    } catch (const base::Error& error) {
      return error.one_line();
    }
    return "no error";
  }
};

std::vector<base::Json> records_of(const fs::path& folder) {
  std::vector<base::Json> records;
  base::JsonlReader reader(folder / "metrics.jsonl");
  while (const auto row = reader.next()) records.push_back(*row);
  return records;
}

class TrainerTest : public support::TinyTraining {
 protected:
  base::TemporaryFolder folder_;
};

TEST_F(TrainerTest, LearnsFourExamplesByHeart) {
  TrainingSettings settings = settings_in(folder_.path());
  settings.step.objective.method = objective::Method::kSft;
  settings.schedule.learning_rate = 2e-2;
  settings.order.epochs = 200;
  settings.logging = settings.evaluating = {EveryNSteps::Kind::kSteps, 100};
  TinyRun run(settings, support::tiny_examples(4), support::tiny_examples(4));
  EXPECT_EQ(run.trainer.steps(), 200);
  EXPECT_EQ(run.trainer.run(), TrainingEnd::kDone);
  const base::Json last = records_of(folder_.path()).back();
  EXPECT_LT(last["eval_loss"].get<double>(), 0.5) << "61 tokens by chance: 4.1";
  EXPECT_GT(last["eval_accuracy"].get<double>(), 0.9);
  EXPECT_TRUE(fs::exists(folder_ / "adapter_model.safetensors"));
  EXPECT_TRUE(fs::exists(folder_ / "checkpoint-200" / "adapter_config.json"));
}

TEST_F(TrainerTest, RecordsWhatAStepMeasured) {
  TinyRun run(settings_in(folder_.path()));
  run.trainer.run();
  const base::Json record = records_of(folder_.path()).front();
  for (const char* name : {"step", "epoch", "loss", "grad_norm", "learning_rate", "tokens_per_second",
                           "supervised_tokens", "masked_in", "mean_confidence", "mean_sample_weight"}) {
    EXPECT_TRUE(record.contains(name) && record[name].is_number()) << name;
  }
  EXPECT_EQ(record["epoch"], 0.5);
  EXPECT_GT(record["mean_sample_weight"], 0.5);
  EXPECT_TRUE(record["lowest_window"]["place"].get<std::string>().starts_with("data.jsonl:"));
  EXPECT_TRUE(record["lowest_window"]["text"].get<std::string>().ends_with("tokens"));
}

TEST_F(TrainerTest, SameSeedGivesTheSameBytes) {
  for (const char* name : {"a", "b"}) TinyRun(settings_in(folder_ / name)).trainer.run();
  EXPECT_EQ(base::read_file(folder_ / "a" / "adapter_model.safetensors"),
            base::read_file(folder_ / "b" / "adapter_model.safetensors"));
}

TEST_F(TrainerTest, InterruptedAndResumedRunEndsWithTheSameBytes) {
  TinyRun(settings_in(folder_ / "whole")).trainer.run();
  TrainingSettings settings = settings_in(folder_ / "parts");
  int64_t asked = 0;
  {
    TinyRun first(settings);
    EXPECT_EQ(first.trainer.run([&] { return ++asked == 3; }), TrainingEnd::kInterrupted);
    EXPECT_EQ(first.trainer.steps_done(), 3);
    EXPECT_FALSE(fs::exists(folder_ / "parts" / "adapter_model.safetensors"));
  }
  TinyRun second(settings);
  second.trainer.resume(open_training_checkpoint(folder_ / "parts" / "checkpoint-3"));
  EXPECT_EQ(second.trainer.steps_done(), 3);
  EXPECT_EQ(second.trainer.run(), TrainingEnd::kDone);
  EXPECT_EQ(base::read_file(folder_ / "parts" / "adapter_model.safetensors"),
            base::read_file(folder_ / "whole" / "adapter_model.safetensors"));
  const auto whole = records_of(folder_ / "whole");
  const auto parts = records_of(folder_ / "parts");
  ASSERT_EQ(whole.size(), parts.size());
  for (size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(whole[i]["loss"], parts[i]["loss"]) << i;
}

TEST_F(TrainerTest, OtherSettingsOrDataAreNotResumed) {
  TrainingSettings settings = settings_in(folder_.path());
  settings.saving = {EveryNSteps::Kind::kSteps, 2};
  TinyRun(settings).trainer.run();
  const SavedTraining saved = open_training_checkpoint(folder_ / "checkpoint-2");
  const auto verdict = [&](const TrainingSettings& changed,
                           std::vector<data::Example> examples) -> std::string {
    try {
      TinyRun(changed, std::move(examples)).trainer.resume(saved);
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(verdict(settings, support::tiny_examples(8)), "accepted");
  TrainingSettings split = settings;
  split.order.batch = 1;
  split.order.accumulation = 4;
  EXPECT_EQ(verdict(split, support::tiny_examples(8)), "accepted") << "the same samples meet in a step";
  TrainingSettings rate = settings;
  rate.schedule.learning_rate = 1e-3;
  EXPECT_TRUE(
      verdict(rate, support::tiny_examples(8)).starts_with("learning_rate is \"0.001\", but the run in"));
  TrainingSettings larger = settings;
  larger.order.batch = 4;
  EXPECT_TRUE(
      verdict(larger, support::tiny_examples(8)).starts_with("the batches are not those of the run in"));
  std::vector<data::Example> other = support::tiny_examples(8);
  other[3].ids[2] ^= 1;
  EXPECT_TRUE(verdict(settings, other).starts_with("the data are not those of the run in"));
}

TEST_F(TrainerTest, LossThatIsNotANumberStopsTheRunAndNamesTheRow) {
  TrainingSettings settings = settings_in(folder_.path());
  settings.saving = {EveryNSteps::Kind::kSteps, 1};
  std::vector<data::Example> examples = support::tiny_examples(8);
  const StepData second = TinyRun(settings, examples).trainer.order().step(1);
  data::Example& bad = examples[second.micro_batches[0].examples[0]];
  bad.ids[1] = support::kPoison;
  TinyRun run(settings, examples);
  const std::string text = run.complaint();
  EXPECT_EQ(text,
            fmt::format("step 2: the loss is nan; worst rows: {} (loss nan); the update was not made, and "
                        "the last good checkpoint is {}/checkpoint-1 (look at the rows with cuset inspect; "
                        "then lower learning_rate, or set max_loss_jump)",
                        bad.place, folder_.path().string()));
  EXPECT_EQ(run.trainer.steps_done(), 1);
  const SavedTraining saved = open_training_checkpoint(folder_ / "checkpoint-1");
  const model::SafetensorsFile weights(saved.optimizer_file());
  const std::string name = run.decoder.trained().weights().front().name;
  EXPECT_TRUE(
      torch::equal(weights.view(*weights.find("master." + name)), run.decoder.trained().master_of(name)));
}

TEST_F(TrainerTest, StopsWhereEvaluationNoLongerImproves) {
  TrainingSettings settings = settings_in(folder_.path());
  settings.order.epochs = 50;
  settings.schedule.learning_rate = 5e-2;
  settings.evaluating = {EveryNSteps::Kind::kEpochs, 0};
  settings.early_stop.patience = 3;
  settings.best.load_at_end = true;
  settings.run.keep_checkpoints = 1;
  TinyRun run(settings, support::tiny_examples(8), support::tiny_examples(4, /*seed=*/9));
  EXPECT_EQ(run.trainer.run(), TrainingEnd::kStoppedEarly);
  EXPECT_LT(run.trainer.steps_done(), 100);

  std::vector<std::pair<double, int64_t>> losses;
  for (const base::Json& record : records_of(folder_.path())) {
    if (record.contains("eval_loss")) losses.emplace_back(record["eval_loss"], record["step"]);
  }
  const auto best = *std::min_element(losses.begin(), losses.end());
  EXPECT_EQ(best.second, losses[losses.size() - 4].second);
  const auto kept = checkpoints_of(folder_.path());
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept.front().step, best.second);
  EXPECT_EQ(base::read_file(folder_ / "adapter_model.safetensors"),
            base::read_file(kept.front().path / "adapter_model.safetensors"));
}

}  // namespace
}  // namespace cuset::train
