// cuset train as a user runs it: a small model from nothing, adapters on it, kills and resumed runs, two
// ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "base/machine/cpu_instructions.h"
#include "base/stats/random.h"
#include "e2e/program.h"
#include "e2e/small_model.h"
#include "e2e/started_program.h"
#include "support/free_port.h"
#include "support/tiny_model.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

constexpr int kKills = 20;

std::string kernel_row(int number) {
  const std::string name = "scale" + std::to_string(number);
  return base::to_json_line(
             {{"prompt", "Multiply by " + std::to_string(number)},
              {"response", "__global__ void " + name +
                               "(float* a, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "  if (i < n) a[i] *= " +
                               std::to_string(number) + ";\n}\nint main() { " + name +
                               "<<<1, 256>>>(a, n); }\n"}}) +
         "\n";
}

// The values behind the header of a safetensors file of float32.
std::vector<float> values_of(const fs::path& path) {
  const std::string file = base::read_file(path);
  uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof length);
  std::vector<float> values((file.size() - 8 - length) / sizeof(float));
  std::memcpy(values.data(), file.data() + 8 + length, values.size() * sizeof(float));
  return values;
}

double relative_difference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double difference = 0;
  double size = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    difference += std::pow(double{a[i]} - double{b[i]}, 2);
    size += std::pow(double{b[i]}, 2);
  }
  return std::sqrt(difference / size);
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

class TrainCommandLine : public testing::Test {
 protected:
  // The model with random weights, made by the program itself.
  static void SetUpTestSuite() {
    source_ = std::make_unique<support::TinyModelFolder>();
    shared_ = std::make_unique<base::TemporaryFolder>();
    source_->write_config(small_changes());
    std::string rows;
    for (int i = 0; i < 12; ++i) rows += kernel_row(i);
    base::write_file_atomic(*shared_ / "train.jsonl", rows);
    const sandbox::ProcessResult made =
        run_cuset({"train", "--model", source_->path().string(), "--data", data(), "--output", model(),
                   "--from-scratch", "--max-steps", "2"});
    ASSERT_EQ(made.exit_status, 0) << made.output;
  }
  static void TearDownTestSuite() {
    source_.reset();
    shared_.reset();
  }

  static std::string data() { return (*shared_ / "train.jsonl").string(); }
  static std::string model() { return (*shared_ / "model").string(); }

  std::string run_folder(const std::string& name) const { return (folder_ / name).string(); }

  // A run of an adapter, a second or so long.
  static std::vector<std::string> arguments(const std::string& run,
                                            const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"train", "--model",
                                      model(), "--data",
                                      data(),  "--output",
                                      run,     "--threads",
                                      "1",     "--learning-rate",
                                      "1e-2",  "--lora-rank",
                                      "2",     "--per-device-train-batch-size",
                                      "2",     "--window",
                                      "16"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  static std::unique_ptr<support::TinyModelFolder> source_;
  static std::unique_ptr<base::TemporaryFolder> shared_;
  base::TemporaryFolder folder_;
};

std::unique_ptr<support::TinyModelFolder> TrainCommandLine::source_;
std::unique_ptr<base::TemporaryFolder> TrainCommandLine::shared_;

TEST_F(TrainCommandLine, WritesWhatOthersRead) {
  const std::string run = run_folder("run");
  const sandbox::ProcessResult result =
      run_cuset(arguments(run, {"--max-steps", "4", "--logging-steps", "1", "--save-steps", "2", "--val-size",
                                "0.2", "--eval-steps", "2"}));
  ASSERT_EQ(result.exit_status, 0) << result.output;
  for (const char* part : {"data: 10 samples", "model: ", "objective: cuset", "steps: 4", "memory: about",
                           "step 4/4", "eval_loss", "done: the adapter is in "}) {
    EXPECT_SAYS(result.output, part);
  }
  for (const char* name : {"adapter_config.json", "adapter_model.safetensors", "metrics.jsonl", "run.json",
                           "runs", "checkpoint-2/trainer_state.json", "checkpoint-4/optimizer.safetensors"}) {
    EXPECT_TRUE(fs::exists(fs::path(run) / name)) << name;
  }
  const base::Json described = base::read_json_file(fs::path(run) / "run.json");
  EXPECT_EQ(described["settings"]["lora_rank"]["value"], 2);
  EXPECT_EQ(described["settings"]["lora_rank"]["origin"], "--lora-rank");
  EXPECT_EQ(described["data"]["files"][0]["bytes"], fs::file_size(data()));
  EXPECT_EQ(described["data"]["samples"], 10);
  EXPECT_SAYS(described["command_line"].get<std::string>(), " train --");
  for (const char* name : {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}) {
    EXPECT_TRUE(fs::exists(fs::path(model()) / name)) << name;
  }
  const sandbox::ProcessResult merged =
      run_cuset({"merge", "--model", model(), "--adapter", run, "--output", run_folder("merged")});
  EXPECT_EQ(merged.exit_status, 0) << merged.output;
}

TEST_F(TrainCommandLine, MistakesAreOneLineWithAWayOut) {
  const std::string run = run_folder("run");
  const std::string config = run_folder("train.yaml");
  const auto verdict = [&](const std::string& yaml) {
    base::write_file_atomic(config, yaml);
    const sandbox::ProcessResult result = run_cuset(arguments(run, {"--config", config}));
    EXPECT_EQ(result.exit_status, 2) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
    return result.output;
  };
  EXPECT_SAYS(verdict("stage: sft\nlearning_rat: 1e-4\n"),
              "train.yaml:2: unknown key 'learning_rat'; did you mean 'learning_rate'?");
  EXPECT_SAYS(verdict("stage: kto\n"), "train.yaml:1: stage: \"kto\" is not supported by cuset: ");
  EXPECT_SAYS(verdict("fp16: true\n"),
              "train.yaml:1: fp16: not supported by cuset: use bf16, or dtype: float32");
  EXPECT_SAYS(verdict("lora_dropout: 1.5\n"), "lora_dropout is 1.5, but must be in [0, 1)");
  EXPECT_SAYS(verdict("use_dft_loss: true\nobjective: sft\n"),
              "use_dft_loss and objective: sft exclude each other");
  EXPECT_SAYS(verdict("eval_dataset: alpaca_en\n"),
              "\"alpaca_en\" is neither a file, nor is there a data/dataset_info.json");
  EXPECT_SAYS(verdict("early_stopping_steps: 3\n"), "early_stopping_steps needs an evaluation");
  EXPECT_SAYS(verdict("lora_target: q_prj\n"), "q_prj");
  EXPECT_SAYS(verdict("lr_scheduler_type: cosin\n"), "cosin");
  const sandbox::ProcessResult missing =
      run_cuset({"train", "--model", run_folder("nothing"), "--data", data(), "--output", run});
  EXPECT_EQ(missing.exit_status, 2);
  EXPECT_SAYS(missing.output, "(give the folder of a Hugging Face model");
  EXPECT_FALSE(fs::exists(run)) << "nothing was begun";
}

TEST_F(TrainCommandLine, DataThatIsAFolderIsNamed) {
  const fs::path folder = run_folder("data");
  fs::create_directory(folder);
  const auto verdict = [&] {
    const sandbox::ProcessResult result = run_cuset(
        {"train", "--model", "assets/model", "--data", folder.string(), "--output", run_folder("run")});
    EXPECT_EQ(result.exit_status, 2);
    return result.output;
  };
  EXPECT_SAYS(verdict(), "is a folder (give its files)");
  base::write_file_atomic(folder / "dataset_info.json", "{}");
  EXPECT_SAYS(verdict(),
              "(name an entry of its dataset_info.json: --dataset-dir " + folder.string() + " --data NAME)");
  base::write_file_atomic(folder / "state.json", "{}");
  EXPECT_SAYS(verdict(), "datasets.load_from_disk(FOLDER).to_json(OUT) converts it");
}

// Random weights are confident of nothing.
TEST_F(TrainCommandLine, ARunThatTrainsNoTokenSaysSo) {
  const sandbox::ProcessResult result =
      run_cuset(arguments(run_folder("run"), {"--max-steps", "2", "--objective", "profit", "--tau", "0.99"}));
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_SAYS(result.output, "warning: step 1: profit trains none of its ");
  EXPECT_SAYS(result.output,
              "(tau is 0.99: lower it, let it rise with tau_ramp, or begin with objective: sft)");
  EXPECT_SAYS(result.output,
              "warning: nothing was learned in any step: the result is what the run began with");
}

TEST_F(TrainCommandLine, ExistingRunIsKeptUnlessAsked) {
  const std::string run = run_folder("run");
  ASSERT_EQ(run_cuset(arguments(run, {"--max-steps", "2"})).exit_status, 0);
  const std::string before = base::read_file(fs::path(run) / "adapter_model.safetensors");
  const sandbox::ProcessResult refused = run_cuset(arguments(run, {"--max-steps", "3"}));
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_SAYS(refused.output, "holds a run already (--resume resumes it");
  const sandbox::ProcessResult other = run_cuset(arguments(run, {"--max-steps", "3", "--resume"}));
  EXPECT_EQ(other.exit_status, 2);
  EXPECT_SAYS(other.output, "max_steps is \"3\", but the run in");
  EXPECT_EQ(run_cuset(arguments(run, {"--max-steps", "2", "--resume"})).exit_status, 0);
  EXPECT_EQ(base::read_file(fs::path(run) / "adapter_model.safetensors"), before);
  EXPECT_EQ(run_cuset(arguments(run, {"--max-steps", "3", "--overwrite-output-dir"})).exit_status, 0);
  EXPECT_NE(base::read_file(fs::path(run) / "adapter_model.safetensors"), before);
}

TEST_F(TrainCommandLine, LlamaFactoryFileIsUnderstood) {
  const std::string config = run_folder("qwen_lora_sft.yaml");
  base::write_file_atomic(
      config,
      fmt::format("### model\nmodel_name_or_path: {}\ntrust_remote_code: true\n"
                  "stage: sft\ndo_train: true\nfinetuning_type: lora\nlora_rank: 4\n"
                  "lora_target: all\ndataset: {}\ntemplate: qwen\ncutoff_len: 256\nmax_samples: 1000\n"
                  "overwrite_cache: true\npreprocessing_num_workers: 16\n"
                  "dataloader_num_workers: 4\noutput_dir: {}\nlogging_steps: 1\n"
                  "save_steps: 500\nplot_loss: true\noverwrite_output_dir: true\n"
                  "save_only_model: false\nreport_to: none\n"
                  "per_device_train_batch_size: 1\ngradient_accumulation_steps: 8\n"
                  "learning_rate: 1.0e-4\nnum_train_epochs: 1.0\n"
                  "lr_scheduler_type: cosine\nwarmup_ratio: 0.1\nbf16: false\n"
                  "ddp_timeout: 180000000\nresume_from_checkpoint: null\n"
                  "val_size: 0.1\nper_device_eval_batch_size: 1\neval_strategy: steps\n"
                  "eval_steps: 1\n",
                  model(), data(), run_folder("run")));
  const sandbox::ProcessResult result = run_cuset({"train", "--config", config, "--threads", "1"});
  ASSERT_EQ(result.exit_status, 0) << result.output;
  EXPECT_SAYS(result.output, "ignoring template: the chat template of the model folder is used");
  EXPECT_SAYS(result.output, "step 2/2");
  EXPECT_FALSE(fs::exists(folder_ / "run" / "runs")) << "report_to: none";
}

TEST_F(TrainCommandLine, LlamaFactoryDataIsFoundByName) {
  const fs::path sets = folder_ / "sets";
  fs::create_directory(sets);
  base::write_file_atomic(sets / "dataset_info.json",
                          R"({"talks": {"file_name": "talks.json", "formatting": "sharegpt",
                                        "columns": {"messages": "turns"}},
                              "texts": {"file_name": "texts.jsonl", "columns": {"prompt": "body"}}})");
  base::write_file_atomic(sets / "talks.json",
                          R"([{"turns": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "first"},
                                         {"from": "human", "value": "b"}, {"from": "gpt", "value": "second"}]}])");
  base::write_file_atomic(sets / "texts.jsonl", "{\"body\": \"a text to learn as a whole\"}\n");
  const std::string config = run_folder("sft.yaml");
  base::write_file_atomic(
      config, "stage: sft\ndataset: talks\ndeepspeed: ds_z3.json\nmax_steps: 1\ntokenized_path: " +
                  run_folder("tokens") + "\n");
  const std::vector<std::string> rest = {"--model",     model(),     "--dataset-dir",
                                         sets.string(), "--threads", "1"};
  const auto train = [&](const std::string& file, const std::string& run, const std::string& pair) {
    std::vector<std::string> words = {"train", file, pair, "--output", run_folder(run)};
    words.insert(words.end(), rest.begin(), rest.end());
    return run_cuset(words);
  };
  const sandbox::ProcessResult all = train(config, "all", "seed=1");
  ASSERT_EQ(all.exit_status, 0) << all.output;
  EXPECT_SAYS(all.output, "objective: sft");
  EXPECT_SAYS(all.output, "ignoring deepspeed: every process holds the whole model");
  const sandbox::ProcessResult again = train(config, "again", "seed=1");
  ASSERT_EQ(again.exit_status, 0) << again.output;
  EXPECT_SAYS(again.output, "data: tokenized before");
  EXPECT_EQ(base::read_file(folder_ / "all" / "adapter_model.safetensors"),
            base::read_file(folder_ / "again" / "adapter_model.safetensors"));
  base::write_file_atomic(config, "stage: pt\ndataset: texts\nmax_steps: 1\n");
  const sandbox::ProcessResult texts = train(config, "texts", "lora_rank=4");
  EXPECT_EQ(texts.exit_status, 0) << texts.output;
}

// The step of the newest checkpoint; 0 where there is none.
int latest_step(const fs::path& run) {
  int latest = 0;
  std::error_code failed;
  for (fs::directory_iterator entry(run, failed); !failed && entry != fs::directory_iterator();
       entry.increment(failed)) {
    int step = 0;
    char rest = 0;
    const std::string name = entry->path().filename().string();
    if (std::sscanf(name.c_str(), "checkpoint-%d%c", &step, &rest) == 1) latest = std::max(latest, step);
  }
  return latest;
}

// Either early, while the program starts, or a little after it has saved some checkpoints more.
void wait_for_random_moment(const StartedProgram& program, const fs::path& run, base::RandomStream& stream) {
  const int wanted = latest_step(run) + static_cast<int>(stream.below(4));
  const auto microseconds = static_cast<useconds_t>(stream.below(30'000));
  if (stream.below(4) == 0) {
    usleep(10 * microseconds);
    return;
  }
  while (latest_step(run) < wanted && program.is_running()) usleep(500);
  usleep(microseconds);
}

TEST_F(TrainCommandLine, KilledTwentyTimesItEndsWithTheSameBytes) {
  const std::vector<std::string> more = {"--max-steps",        "90", "--save-steps", "1",
                                         "--save-total-limit", "2",  "--val-size",   "2",
                                         "--eval-steps",       "20", "--seed",       "5"};
  const sandbox::ProcessResult whole = run_cuset(arguments(run_folder("whole"), more));
  ASSERT_EQ(whole.exit_status, 0) << whole.output;

  std::vector<std::string> resumed = arguments(run_folder("killed"), more);
  resumed.push_back("--resume");
  base::RandomStream stream(11, "kills");
  int killed = 0;
  for (int i = 0; i < kKills; ++i) {
    StartedProgram program(resumed, folder_ / "output");
    wait_for_random_moment(program, folder_ / "killed", stream);
    program.signal(SIGKILL);
    const int status = program.wait();
    ASSERT_TRUE(status == 0 || status == 128 + SIGKILL) << status << program.output();
    killed += status == 0 ? 0 : 1;
  }
  EXPECT_GT(killed, kKills / 2);
  const sandbox::ProcessResult last = run_cuset(resumed);
  ASSERT_EQ(last.exit_status, 0) << last.output;
  for (const char* name : {"adapter_model.safetensors", "adapter_config.json",
                           "checkpoint-90/optimizer.safetensors", "checkpoint-90/state.json"}) {
    EXPECT_EQ(base::read_file(folder_ / "killed" / name), base::read_file(folder_ / "whole" / name)) << name;
  }
}

TEST_F(TrainCommandLine, ResumedRunTakesTheThreadsOfItsRun) {
  const auto output_with_threads = [&](const std::string& threads) {
    std::vector<std::string> words = arguments(
        run_folder("run"), {"--device", "cpu", "--max-steps", "2", "--save-steps", "1", "--resume"});
    *std::next(std::ranges::find(words, "--threads")) = threads;
    StartedProgram program(words, folder_ / "output", {"--unset=OMP_NUM_THREADS"});
    EXPECT_EQ(program.wait(), 0) << program.output();
    return program.output();
  };
  const auto recorded = [&] { return base::read_json_file(folder_ / "run" / "run.json").at("threads"); };
  EXPECT_SAYS(output_with_threads("3"), "threads: 3 on ");
  EXPECT_EQ(recorded(), base::Json::array({3}));
  EXPECT_SAYS(output_with_threads("0"), "threads: 3 on ");
  EXPECT_EQ(recorded(), base::Json::array({3}));
  EXPECT_SAYS(output_with_threads("5"), "5 threads, but the run in ");
  EXPECT_EQ(recorded(), base::Json::array({5}));
}

TEST_F(TrainCommandLine, SignalSavesAndSaysHowToGoOn) {
  for (const int number : {SIGINT, SIGTERM}) {
    const fs::path run = folder_ / std::to_string(number);
    StartedProgram program(arguments(run.string(), {"--max-steps", "100000", "--logging-steps", "1"}),
                           folder_ / "output");
    ASSERT_TRUE(program.wait_for(run / "metrics.jsonl")) << program.output();
    program.signal(number);
    EXPECT_EQ(program.wait(), 128 + number);
    EXPECT_SAYS(program.output(), "stopping after this step; interrupt again to stop immediately");
    EXPECT_SAYS(program.output(), "which is saved; the same command with --resume continues the run");
    EXPECT_FALSE(fs::exists(run / "adapter_model.safetensors"));
    bool has_checkpoint = false;
    for (const auto& entry : fs::directory_iterator(run)) {
      has_checkpoint |= entry.path().filename().string().starts_with("checkpoint-");
    }
    EXPECT_TRUE(has_checkpoint);
  }
}

// On processors that announce tiles without having them LibTorch alone would end with an illegal instruction.
TEST_F(TrainCommandLine, BFloat16WorksOnEveryProcessor) {
  const std::string nothing_inherited = std::string("--unset=") + base::kOneDnnLimit;
  StartedProgram program(arguments(run_folder("narrow"), {"--bf16", "--max-steps", "2"}), folder_ / "output",
                         {nothing_inherited});
  EXPECT_EQ(program.wait(), 0) << program.output();
  EXPECT_TRUE(fs::exists(folder_ / "narrow" / "adapter_model.safetensors"));
}

std::vector<std::string> rank_variables(int rank, int port) {
  return {fmt::format("RANK={}", rank),        "WORLD_SIZE=2",
          fmt::format("LOCAL_RANK={}", rank),  "MASTER_ADDR=127.0.0.1",
          fmt::format("MASTER_PORT={}", port), "OMP_NUM_THREADS=1"};
}

TEST_F(TrainCommandLine, TwoRanksTrainWhatOneDoes) {
  const std::vector<std::string> more = {"--max-steps", "4", "--logging-steps", "1", "--save-steps", "2"};
  std::vector<std::string> alone = arguments(run_folder("alone"), more);
  alone.insert(alone.end(), {"--gradient-accumulation-steps", "2"});
  ASSERT_EQ(run_cuset(alone).exit_status, 0);
  const int port = support::free_port();
  StartedProgram first(arguments(run_folder("ranks"), more), folder_ / "first", rank_variables(0, port));
  StartedProgram second(arguments(run_folder("ranks"), more), folder_ / "second", rank_variables(1, port));
  ASSERT_EQ(first.wait(), 0) << first.output() << second.output();
  ASSERT_EQ(second.wait(), 0) << second.output();
  EXPECT_SAYS(first.output(), "2 ranks");
  EXPECT_EQ(second.output().find("step "), std::string::npos) << second.output();
  EXPECT_LT(relative_difference(values_of(folder_ / "ranks" / "adapter_model.safetensors"),
                                values_of(folder_ / "alone" / "adapter_model.safetensors")),
            1e-6);
}

TEST_F(TrainCommandLine, KilledRankEndsTheOther) {
  const std::vector<std::string> words =
      arguments(run_folder("run"), {"--max-steps", "100000", "--logging-steps", "1"});
  const int port = support::free_port();
  StartedProgram first(words, folder_ / "first", rank_variables(0, port));
  StartedProgram second(words, folder_ / "second", rank_variables(1, port));
  ASSERT_TRUE(first.wait_for(folder_ / "run" / "metrics.jsonl")) << first.output() << second.output();
  second.signal(SIGKILL);
  EXPECT_EQ(second.wait(), 128 + SIGKILL);
  EXPECT_EQ(first.wait(), 1);
  EXPECT_SAYS(first.output(), "rank 0 lost a partner during ");
}

}  // namespace
}  // namespace cuset::tests
