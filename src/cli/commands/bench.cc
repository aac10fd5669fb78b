#include "cli/commands/commands.h"

#include <filesystem>
#include <iostream>
#include <numeric>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "study/measure/generation_speed.h"
#include "study/measure/executor_speed.h"
#include "study/measure/tokenizer_speed.h"
#include "study/measure/training_speed.h"
#include "study/measure/verification_speed.h"
#include "cli/setting_limits.h"
#include "cli/commands/tokenize/tokenize.h"
#include "ops/backend.h"
#include "verify/readers/task_reader.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

// "1", "64", ... of an option that takes several.
std::vector<unsigned> positive_numbers(std::string_view option, const std::vector<std::string>& words) {
  std::vector<unsigned> counts;
  for (const std::string& word : words) {
    const bool is_count =
        !word.empty() && word.size() <= 4 && word.find_first_not_of("0123456789") == std::string::npos;
    if (!is_count || std::stoul(word) == 0)
      throw UsageError("{}: {} is not a number from 1 to 9999", option, in_quotes(word));
    counts.push_back(static_cast<unsigned>(std::stoul(word)));
  }
  return counts;
}

class BenchCommand : public Command {
 public:
  std::string_view name() const override { return "bench"; }
  std::string_view summary() const override {
    return "Measure training, generation and the tokenizer beside Hugging Face's, CUDA programs on CPU and "
           "GPU "
           "beside nvcc, verification of answers";
  }
  std::string_view examples() const override {
    return "  cuset bench train --shape qwen2.5-7b\n"
           "  cuset bench train --shape tiny-7m --samples 8 --tokens 512 --device cpu\n"
           "  cuset bench generate --shape qwen2.5-7b --batch 1,64 --prompt 512 --new-tokens 256\n"
           "  cuset bench tokenizer --model Qwen2.5-Coder-7B --data kernels.jsonl --threads 1,2\n"
           "  cuset bench tokenizer --model tokenizer.json --data kernel.cu --json\n"
           "  cuset bench run\n"
           "  cuset bench run --program matrix_product,block_reduction --json\n"
           "  cuset bench verify --tasks examples/verify/tasks.jsonl --executor cpu";
  }

  void declare(Settings& settings) override {
    settings.add_positional("subject", subjects_,
                            "What to measure: train, generate, tokenizer, run or verify");
    settings.add("model", model_, "Model folder (tokenizer: or its tokenizer.json; train: its config.json)");
    settings.add("data", data_, "tokenizer: texts, JSONL with \"text\" or plain files");
    settings.add("threads", threads_, "tokenizer: numbers of threads to try");
    settings.add("shape", shape_,
                 fmt::format("train, generate: a model's sizes ({})", fmt::join(shape_names(), ", ")));
    settings.add("objective", objectives_, "train: objectives to measure");
    settings.add("samples", train_.samples, "train: samples of a step");
    settings.add("tokens", train_.tokens, "train: tokens of a sample");
    settings.add("steps", steps_, "train: steps measured; the median counts");
    settings.add("lora_rank", train_.lora_rank, "train: rank of the adapters");
    settings.add("lora_dropout", train_.lora_dropout, "train: dropout of the adapters");
    settings.add_choice("finetuning_type", finetuning_, {"lora", "full"}, "train: what is trained");
    settings.add("gradient_checkpointing", train_.recompute,
                 "train: compute activations again in the backward");
    settings.add_choice("device", device_, {"auto", "cpu", "cuda"}, "train, generate: where");
    settings.add_choice("dtype", dtype_, {"auto", "float32", "bfloat16"},
                        "train, generate: auto is bfloat16 on a GPU");
    settings.add("full_determinism", train_.deterministic, "train: the same bits in every run on a GPU, too");
    settings.add("compiled", compiled_, "train: the comparison also through torch.compile");
    settings.add("batch", batches_, "generate: numbers of sequences written together");
    settings.add("prompt", generate_.prompt, "generate: tokens of a prompt");
    settings.add("new_tokens", generate_.new_tokens, "generate: tokens written behind it");
    settings.add("python", python_, "Python whose libraries are measured too; empty: none");
    settings.add("program", programs_,
                 fmt::format("run: programs to measure ({})", fmt::join(bench_program_names(), ", ")));
    settings.add("repeats", repeats_, "run: runs of each program; the fastest counts");
    settings.add("tasks", tasks_, "verify: tasks whose reference programs are judged");
    settings.add_choice("executor", verify_.executor, {"auto", "cpu", "gpu"}, "verify: where they run");
    settings.add("trials", trials_, "verify: fresh inputs for each");
    settings.add("workers", workers_, "verify: judged at the same time; 0: one per core");
    settings.add("limit", limit_, "verify: the first so many tasks; 0: all");
    settings.add("json", json_, "Print JSON instead of a table");
  }

  int run() override {
    if (subjects_ == std::vector<std::string>{"tokenizer"}) return bench_tokenizer();
    if (subjects_ == std::vector<std::string>{"train"}) return bench_train();
    if (subjects_ == std::vector<std::string>{"generate"}) return bench_generate();
    if (subjects_ == std::vector<std::string>{"run"}) return bench_run();
    if (subjects_ == std::vector<std::string>{"verify"}) return bench_verify();
    const std::string given = subjects_.empty() ? "nothing" : subjects_[0];
    throw UsageError("bench: {} cannot be measured", given)
        .with_remedy("write: cuset bench train, generate, tokenizer, run or verify");
  }

 private:
  int bench_tokenizer() const {
    if (model_.empty()) throw UsageError("--model is missing: model folder, or its tokenizer.json");
    if (data_.empty()) throw UsageError("--data is missing: texts to encode");
    TokenizerBenchOptions options;
    options.tokenizer = tokenizer_file_of(model_);
    options.texts = read_texts(data_);
    options.threads = positive_numbers("--threads", threads_);
    options.python = python_;
    const auto rows = compare_tokenizers(options);
    const uint64_t bytes =
        std::accumulate(options.texts.begin(), options.texts.end(), uint64_t{0},
                        [](uint64_t sum, const std::string& text) { return sum + text.size(); });
    if (json_) {
      std::cout << to_json(rows, bytes).dump(2) << "\n";
    } else {
      std::cout << render_comparison(rows, bytes);
    }
    if (!rows[0].reference) {
      log_warning("{} has no tokenizers library to compare with; `{} -m pip install tokenizers` adds it",
                  python_, python_);
    }
    return 0;
  }

  int bench_train() {
    TrainBenchOptions options;
    options.name = model_.empty() ? shape_ : model_.string();
    options.step = train_;
    options.step.config = model_.empty() ? shape_named(shape_) : read_json_file(model_ / "config.json");
    options.step.steps = static_cast<int>(steps_);
    options.step.all_weights = finetuning_ == "full";
    options.step.device = chosen_device();
    options.step.bfloat16 = is_bfloat16();
    options.objectives = objectives_;
    options.python = options.step.all_weights ? "" : python_;
    options.compiled = compiled_;
    check_sizes();
    const TrainBenchResult result = measure_training(options);
    if (json_) {
      std::cout << to_json(options, result).dump(2) << "\n";
    } else {
      std::cout << render_training(options, result);
    }
    if (!result.missing.empty()) log_warning("no comparison with {}: {}", python_, result.missing);
    return 0;
  }

  int bench_generate() {
    at_least("prompt", generate_.prompt, 1);
    at_least("new_tokens", generate_.new_tokens, 1);
    if (batches_.empty()) throw UsageError("--batch: none given");
    GenerateBenchOptions options;
    options.name = model_.empty() ? shape_ : model_.string();
    options.speed = generate_;
    options.speed.config = model_.empty() ? shape_named(shape_) : read_json_file(model_ / "config.json");
    options.speed.model = model_;
    options.speed.device = chosen_device();
    options.speed.bfloat16 = is_bfloat16();
    for (const unsigned batch : positive_numbers("--batch", batches_)) options.batches.push_back(batch);
    options.python = python_;
    const GenerateBenchResult result = measure_generation(options);
    std::cout << (json_ ? to_json(options, result).dump(2) + "\n" : render_generation(options, result));
    if (!result.missing.empty()) log_warning("no comparison with {}: {}", python_, result.missing);
    return 0;
  }

  std::string chosen_device() {
    if (device_ == "auto") device_ = describe_tensor_backend().gpus.empty() ? "cpu" : "cuda";
    return device_;
  }

  bool is_bfloat16() const { return dtype_ == "auto" ? device_ == "cuda" : dtype_ == "bfloat16"; }

  int bench_run() const {
    at_least("repeats", repeats_, 1);
    RunBenchOptions options;
    options.programs = programs_;
    options.repeats = static_cast<int>(repeats_);
    const RunBenchResult result = measure_executors(options);
    std::cout << (json_ ? to_json(result).dump(2) + "\n" : render_executors(result));
    const bool failed = std::any_of(result.programs.begin(), result.programs.end(),
                                    [](const ProgramSpeed& program) { return !program.failure.empty(); });
    return failed ? 1 : 0;
  }

  int bench_verify() {
    if (tasks_.empty()) throw UsageError("--tasks is missing: tasks with reference programs");
    within("trials", trials_, 1, 1000);
    within("workers", workers_, 0, 1024);
    at_least("limit", limit_, 0);
    verify_.tasks = read_tasks(tasks_).tasks;
    verify_.trials = static_cast<int>(trials_);
    verify_.workers = static_cast<int>(workers_);
    verify_.limit = static_cast<size_t>(limit_);
    const InterruptGuard guard("interrupted: ending the answers in hand");
    const VerifyBenchResult result = measure_verification(verify_);
    std::cout << (json_ ? to_json(result).dump(2) + "\n" : render_verification_speed(result));
    return guard.is_requested() ? 128 + guard.signal_number() : 0;
  }

  void check_sizes() const {
    at_least("samples", train_.samples, 1);
    at_least("tokens", train_.tokens, 2);
    at_least("steps", steps_, 1);
    at_least("lora_rank", train_.lora_rank, 1);
    if (train_.lora_dropout < 0 || train_.lora_dropout >= 1) {
      throw UsageError("--lora-dropout: {} is not in [0, 1)", train_.lora_dropout);
    }
    if (objectives_.empty()) throw UsageError("--objective: none given");
  }

  std::vector<std::string> subjects_;
  fs::path model_;
  std::vector<std::string> data_;
  std::vector<std::string> threads_ = {"1"};
  std::string shape_ = "tiny-7m";
  std::vector<std::string> objectives_ = {"sft", "cuset"};
  StepSpeedOptions train_;
  int64_t steps_ = 10;
  InferenceSpeedOptions generate_;
  std::vector<std::string> batches_ = {"1", "32"};
  std::string finetuning_ = "lora";
  std::string device_ = "auto";
  std::string dtype_ = "auto";
  bool compiled_ = false;
  std::string python_ = "python3";
  std::vector<std::string> programs_;
  int64_t repeats_ = 3;
  fs::path tasks_;
  VerifyBenchOptions verify_;
  int64_t trials_ = 5;
  int64_t workers_ = 0;
  int64_t limit_ = 0;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_bench_command() { return std::make_unique<BenchCommand>(); }

}  // namespace cuset
