#include "train/records/training_checkpoint.h"

#include <gtest/gtest.h>
#include <torch/utils.h>
#include <unistd.h>

#include <string>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/error_text.h"
#include "support/fault_injection.h"
#include "train/optimizer.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

TrainingCheckpoint checkpoint_of_step(int64_t step) {
  base::RandomStream stream(1, "test");
  stream.next_u64();
  return {.write_model =
              [](const fs::path& path) { base::write_file_atomic(path / "adapter_config.json", "{}"); },
          .optimizer = {{"step", torch::full({1}, step, torch::kInt64)}, {"master.a", torch::ones({2, 3})}},
          .trainer = {.global_step = step, .log_history = {{{"loss", 0.5}, {"step", step}}}},
          .run = {.step = step,
                  .data_fingerprint = "00c0ffee",
                  .random_streams = {{"sampling", stream.state()},
                                     {"largest", {UINT64_MAX, UINT64_MAX, UINT64_MAX}}},
                  .early_stop = {{"disappointments", 2}},
                  .settings = {{"learning_rate", 1e-4}, {"seed", 7}},
                  .threads = {2, 16}}};
}

TEST(TrainingCheckpoint, GivesBackWhatWasSaved) {
  const base::TemporaryFolder run;
  CheckpointFolder folder(run.path());
  const TrainingCheckpoint checkpoint = checkpoint_of_step(40);
  const fs::path path = save_training_checkpoint(folder, checkpoint);
  EXPECT_EQ(path, run / "checkpoint-40");
  EXPECT_TRUE(fs::exists(path / "adapter_config.json"));

  const SavedTraining saved = open_training_checkpoint(path);
  EXPECT_EQ(saved.path, path);
  EXPECT_EQ(saved.run.step, 40);
  EXPECT_EQ(saved.run.data_fingerprint, "00c0ffee");
  EXPECT_EQ(saved.run.random_streams, checkpoint.run.random_streams);
  EXPECT_EQ(saved.run.early_stop, checkpoint.run.early_stop);
  EXPECT_EQ(saved.run.settings, checkpoint.run.settings);
  EXPECT_EQ(saved.run.threads, checkpoint.run.threads);
  EXPECT_EQ(base::to_json_line(saved.log_history), R"([{"loss":0.5,"step":40}])");
  const model::SafetensorsFile tensors(saved.optimizer_file());
  EXPECT_TRUE(torch::equal(tensors.view(*tensors.find("master.a")), torch::ones({2, 3})));
}

TEST(TrainingCheckpoint, OlderStatesHaveNoThreads) {
  base::Json state = to_json(checkpoint_of_step(3).run);
  state.erase("threads");
  EXPECT_TRUE(run_state_from(state, "state.json").threads.empty());
  state["threads"] = {2, "all"};
  EXPECT_THROW(run_state_from(state, "state.json"), base::Error);
}

TEST(TrainingCheckpoint, EqualStatesMakeEqualBytes) {
  const base::TemporaryFolder run;
  CheckpointFolder folder(run.path());
  const fs::path path = save_training_checkpoint(folder, checkpoint_of_step(3));
  std::map<std::string, std::string> first;
  for (const auto& entry : fs::directory_iterator(path))
    first[entry.path().filename()] = base::read_file(entry.path());
  save_training_checkpoint(folder, checkpoint_of_step(3));
  EXPECT_EQ(first.size(), 5u);
  for (const auto& [name, content] : first) EXPECT_EQ(base::read_file(path / name), content) << name;
}

TEST(TrainingCheckpoint, OtherSettingsAreNamed) {
  const SavedTraining saved{.path = "run/checkpoint-3",
                            .run = {.settings = {{"learning_rate", 1e-4}, {"seed", 7}, {"model", "M"}}},
                            .log_history = {}};
  const auto verdict = [&](const base::Json& current) {
    return support::error_of([&] { check_same_settings(saved, current); });
  };
  const std::string remedy = " (resume with the same settings, or begin a new run in another folder)";
  EXPECT_EQ(verdict({{"learning_rate", 1e-4}, {"seed", 7}, {"model", "M"}}), "no error");
  EXPECT_EQ(verdict({{"model", "M"}, {"seed", 7}, {"learning_rate", 1e-4}}), "no error")
      << "order plays no part";
  EXPECT_EQ(verdict({{"learning_rate", 1e-4}, {"seed", 8}, {"model", "M"}}),
            "seed is \"8\", but the run in run/checkpoint-3 has \"7\"" + remedy);
  EXPECT_EQ(verdict({{"learning_rate", 1e-4}, {"seed", 7}}),
            "model is unset, but the run in run/checkpoint-3 has \"M\"" + remedy);
  EXPECT_EQ(verdict({{"learning_rate", 1e-4}, {"seed", 7}, {"model", "M"}, {"rank", 8}}),
            "rank is \"8\", but the run in run/checkpoint-3 has unset" + remedy);
}

// A run of `steps` steps whose gradients come from a random stream, with a checkpoint after every second one;
// it resumes from the latest checkpoint there is.
void train_from_latest(const fs::path& run, int64_t steps) {
  model::TrainedParameters parameters(
      {{.name = "a", .shape = {3, 5}}, {.name = "b", .shape = {4}, .decays = false}}, torch::kBFloat16,
      torch::kCPU);
  Optimizer optimizer(parameters, {.weight_decay = 0.1});
  base::RandomStream stream(5, "gradients");
  CheckpointFolder folder(run);
  if (const auto latest = latest_checkpoint(run)) {
    const SavedTraining saved = open_training_checkpoint(latest->path);
    optimizer.load_state(model::SafetensorsFile(saved.optimizer_file()));
    stream = base::RandomStream(saved.run.random_streams.at("gradients"));
  }
  for (int64_t step = optimizer.steps_done() + 1; step <= steps; ++step) {
    for (int64_t i = 0; i < parameters.size(); ++i) parameters.gradient()[i] = stream.normal();
    optimizer.step(0.01);
    if (step % 2 != 0) continue;
    TrainingCheckpoint checkpoint = checkpoint_of_step(step);
    checkpoint.optimizer = optimizer.state();
    checkpoint.run.random_streams = {{"gradients", stream.state()}};
    save_training_checkpoint(folder, checkpoint);
    folder.remove_old(2);
  }
}

TEST(TrainingCheckpoint, KilledAndResumedRunEndsWithTheSameBytes) {
  constexpr int64_t kSteps = 12;
  const base::TemporaryFolder whole, killed;
  for (uint32_t seed = 0; seed < 6; ++seed) {
    support::kill_at_random_moment(
        [&](const std::function<void()>& begun) {
          torch::set_num_threads(1);  // a forked process has lost its parent's threads
          begun();
          train_from_latest(killed.path(), kSteps);
          for (;;) ::pause();
        },
        seed, 60000);
  }
  train_from_latest(killed.path(), kSteps);
  train_from_latest(whole.path(), kSteps);
  EXPECT_EQ(checkpoints_of(killed.path()).size(), 2u);
  for (const char* name : {"optimizer.safetensors", "state.json", "trainer_state.json", "checkpoint.json"}) {
    EXPECT_EQ(base::read_file(killed / "checkpoint-12" / name),
              base::read_file(whole / "checkpoint-12" / name))
        << name;
  }
}

TEST(RunState, MalformedStateIsAnErrorWithItsPlace) {
  const auto verdict = [](const char* text) {
    return support::error_of([&] { run_state_from(base::Json::parse(text), "state.json"); });
  };
  const std::string remedy = " (resume from another checkpoint)";
  EXPECT_EQ(verdict("{}"), "state.json: field 'format' is missing" + remedy);
  EXPECT_EQ(verdict(R"({"format": 9})"),
            "state.json has the format 9, but this program reads 1 (resume with the version of cuset that "
            "wrote it)");
  EXPECT_EQ(verdict(R"({"format": 1, "step": "x"})"),
            "state.json: field 'step' must be a whole number, found the string \"x\"" + remedy);
  EXPECT_EQ(verdict(R"({"format": 1, "step": 1, "data_fingerprint": 3})"),
            "state.json: field 'data_fingerprint' must be a string, found the number 3" + remedy);
  EXPECT_EQ(
      verdict(R"({"format": 1, "step": 1, "data_fingerprint": "", "random_streams": {"a": {"key": -1}}})"),
      "state.json: field 'random_streams.a.key' must be a whole number of 0 or more, found the number -1" +
          remedy);
  EXPECT_EQ(verdict(R"({"format": 1, "step": 1, "data_fingerprint": "", "random_streams": {"a": 1}})"),
            "state.json: field 'random_streams.a' must be an object, found the number 1" + remedy);
  EXPECT_EQ(verdict(R"({"format": 1, "step": 1, "data_fingerprint": "", "random_streams": {}})"),
            "state.json: field 'early_stop' is missing" + remedy);
}

}  // namespace
}  // namespace cuset::train
