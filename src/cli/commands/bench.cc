// cuset bench: measures training, generation, the tokenizer, the executors and verification on this machine,
// beside the libraries that people use today. The measuring itself is study/measure/. docs/results.md.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <numeric>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "benchmarks/task_reader.h"
#include "cli/commands/commands.h"
#include "cli/framework/model_path.h"
#include "cli/framework/placement_settings.h"
#include "cli/framework/setting_limits.h"
#include "study/measure/curation_speed.h"
#include "study/measure/executor_speed.h"
#include "study/measure/generation_speed.h"
#include "study/measure/tokenizer_speed.h"
#include "study/measure/training_speed.h"
#include "study/measure/verification_speed.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJsonHelp = "Print JSON instead of a table";

// "1", "64", ... of an option that takes several.
std::vector<unsigned> positive_numbers(std::string_view option, const std::vector<std::string>& words) {
  std::vector<unsigned> counts;
  for (const std::string& word : words) {
    const bool is_count =
        !word.empty() && word.size() <= 4 && word.find_first_not_of("0123456789") == std::string::npos;
    if (!is_count || std::stoul(word) == 0)
      throw base::UsageError("{}: {} is not a number from 1 to 9999", option, base::in_quotes(word));
    counts.push_back(static_cast<unsigned>(std::stoul(word)));
  }
  return counts;
}

// The model that is measured, and where: what training and generation share.
class MeasuredModel {
 public:
  void declare(Settings& settings) {
    settings.add("model", model_, "Model folder; its config.json gives the sizes");
    settings.add("shape", shape_,
                 fmt::format("Without a model folder, a model's sizes by name: {}",
                             fmt::join(study::shape_names(), ", ")));
    declare_placement(settings, placement_);
    settings.add("python", python_, "Python whose libraries are measured for comparison; empty: none");
  }

  const fs::path& folder() const { return model_; }
  std::string name() const { return model_.empty() ? shape_ : model_.string(); }
  base::Json config() const {
    return model_.empty() ? study::shape_named(shape_) : base::read_json_file(model_ / "config.json");
  }
  const std::string& python() const { return python_; }

  const model::Placement& placement() const { return placement_; }

 private:
  fs::path model_;
  std::string shape_ = "tiny-7m";
  model::Placement placement_;
  std::string python_ = "python3";
};

class BenchTrainCommand : public Command {
 public:
  std::string_view name() const override { return "train"; }
  std::string_view summary() const override { return "Measure training steps beside transformers with PEFT"; }
  std::string_view examples() const override {
    return "  cuset bench train\n"
           "  cuset bench train --shape tiny-7m --samples 8 --tokens 512 --device cpu\n"
           "  cuset bench train --shape qwen2.5-7b --objective sft,cuset --compiled   # needs a GPU";
  }

  void declare(Settings& settings) override {
    model_.declare(settings);
    settings.add("objective", objectives_, "Objectives to measure, one after another");
    settings.add("samples", step_.samples, "Number of samples of a step");
    settings.add("tokens", step_.tokens, "Number of tokens of a sample");
    settings.add("steps", steps_, "Number of steps to measure; the median counts");
    settings.add("lora_rank", step_.lora_rank, "Rank of the LoRA adapters");
    settings.add("lora_dropout", step_.lora_dropout, "Dropout of the LoRA adapters' inputs");
    settings.add_choice("finetuning_type", finetuning_, {"lora", "full"},
                        "Train LoRA adapters or all weights");
    settings.add("gradient_checkpointing", step_.recompute,
                 "Recompute activations in the backward pass instead of storing them");
    settings.add("full_determinism", step_.deterministic, "Use deterministic operations on the GPU");
    settings.add("compiled", compiled_, "Measure the comparison through torch.compile too");
    settings.add("json", json_, kJsonHelp);
  }

  int run() override {
    study::TrainBenchOptions options;
    options.name = model_.name();
    options.step = step_;
    options.step.config = model_.config();
    options.step.steps = static_cast<int>(steps_);
    options.step.all_weights = finetuning_ == "full";
    options.step.placement = model_.placement().resolve();
    options.objectives = objectives_;
    options.python = options.step.all_weights ? "" : model_.python();
    options.compiled = compiled_;
    check_sizes();
    const study::TrainBenchResult result = study::measure_training(options);
    std::cout << (json_ ? study::to_json(options, result).dump(2) + "\n"
                        : study::render_training(options, result));
    if (!result.missing.empty())
      base::log_warning("no comparison with {}: {}", model_.python(), result.missing);
    return 0;
  }

 private:
  void check_sizes() const {
    at_least("samples", step_.samples, 1);
    at_least("tokens", step_.tokens, 2);
    at_least("steps", steps_, 1);
    at_least("lora_rank", step_.lora_rank, 1);
    if (step_.lora_dropout < 0 || step_.lora_dropout >= 1) {
      throw base::UsageError("--lora-dropout: {} is not in [0, 1)", step_.lora_dropout);
    }
    if (objectives_.empty()) throw base::UsageError("--objective: none given");
  }

  MeasuredModel model_;
  std::vector<std::string> objectives_ = {"sft", "cuset"};
  study::StepSpeedOptions step_;
  int64_t steps_ = 10;
  std::string finetuning_ = "lora";
  bool compiled_ = false;
  bool json_ = false;
};

class BenchGenerateCommand : public Command {
 public:
  std::string_view name() const override { return "generate"; }
  std::string_view summary() const override { return "Measure generation beside transformers' generate"; }
  std::string_view examples() const override {
    return "  cuset bench generate\n"
           "  cuset bench generate --shape qwen2.5-7b --batch 1,64 --prompt 512 --new-tokens 256   # needs a "
           "GPU";
  }

  void declare(Settings& settings) override {
    model_.declare(settings);
    settings.add("batch", batches_, "Numbers of sequences generated together, measured one after another");
    settings.add("prompt", speed_.prompt, "Number of tokens of a prompt");
    settings.add("new_tokens", speed_.new_tokens, "Number of tokens to generate");
    settings.add("json", json_, kJsonHelp);
  }

  int run() override {
    at_least("prompt", speed_.prompt, 1);
    at_least("new_tokens", speed_.new_tokens, 1);
    if (batches_.empty()) throw base::UsageError("--batch: none given");
    study::GenerateBenchOptions options;
    options.name = model_.name();
    options.speed = speed_;
    options.speed.config = model_.config();
    options.speed.model = model_.folder();
    options.speed.placement = model_.placement().resolve();
    for (const unsigned batch : positive_numbers("--batch", batches_)) options.batches.push_back(batch);
    options.python = model_.python();
    const study::GenerateBenchResult result = study::measure_generation(options);
    std::cout << (json_ ? study::to_json(options, result).dump(2) + "\n"
                        : study::render_generation(options, result));
    if (!result.missing.empty())
      base::log_warning("no comparison with {}: {}", model_.python(), result.missing);
    return 0;
  }

 private:
  MeasuredModel model_;
  study::InferenceSpeedOptions speed_;
  std::vector<std::string> batches_ = {"1", "32"};
  bool json_ = false;
};

class BenchTokenizerCommand : public Command {
 public:
  std::string_view name() const override { return "tokenizer"; }
  std::string_view summary() const override {
    return "Measure the tokenizer beside Hugging Face's tokenizers library";
  }
  std::string_view examples() const override {
    return "  cuset bench tokenizer --model assets/model --data testdata/data/kernels.jsonl --threads 1,2\n"
           "  cuset bench tokenizer --model assets/model/tokenizer.json --data examples/saxpy.cu --json";
  }

  void declare(Settings& settings) override {
    settings.add("model", model_, "Model folder, or its tokenizer.json");
    settings.require("model");
    settings.add("data", data_, "Texts to encode: JSONL with \"text\", or plain files");
    settings.require("data");
    settings.add("threads", threads_, "Numbers of threads, measured one after another");
    settings.add("python", python_, "Python whose tokenizers library is measured for comparison");
    settings.add("json", json_, kJsonHelp);
  }

  int run() override {
    study::TokenizerBenchOptions options;
    options.tokenizer = tokenizer_file_of(model_);
    options.texts = study::read_texts(data_);
    options.threads = positive_numbers("--threads", threads_);
    options.python = python_;
    const auto rows = study::compare_tokenizers(options);
    const uint64_t bytes =
        std::accumulate(options.texts.begin(), options.texts.end(), uint64_t{0},
                        [](uint64_t sum, const std::string& text) { return sum + text.size(); });
    std::cout << (json_ ? study::to_json(rows, bytes).dump(2) + "\n" : study::render_comparison(rows, bytes));
    if (!rows[0].reference) {
      base::log_warning(
          "{} has no tokenizers library to compare with; `{} -m pip install tokenizers` adds it", python_,
          python_);
    }
    return 0;
  }

 private:
  fs::path model_;
  std::vector<std::string> data_;
  std::vector<std::string> threads_ = {"1"};
  std::string python_ = "python3";
  bool json_ = false;
};

class BenchRunCommand : public Command {
 public:
  std::string_view name() const override { return "run"; }
  std::string_view summary() const override {
    return "Measure how CUDA programs compile and run on CPU and GPU, beside nvcc";
  }
  std::string_view examples() const override {
    return "  cuset bench run\n"
           "  cuset bench run --program matrix_product,block_reduction --json";
  }

  void declare(Settings& settings) override {
    settings.add(
        "program", programs_,
        fmt::format("Programs to measure (none: all): {}", fmt::join(study::bench_program_names(), ", ")));
    settings.add("repeats", repeats_, "Number of runs of each program; the fastest counts");
    settings.add("json", json_, kJsonHelp);
  }

  int run() override {
    at_least("repeats", repeats_, 1);
    study::RunBenchOptions options;
    options.programs = programs_;
    options.repeats = static_cast<int>(repeats_);
    const study::RunBenchResult result = study::measure_executors(options);
    std::cout << (json_ ? study::to_json(result).dump(2) + "\n" : study::render_executors(result));
    const bool failed =
        std::any_of(result.programs.begin(), result.programs.end(),
                    [](const study::ProgramSpeed& program) { return !program.failure.empty(); });
    return failed ? 1 : 0;
  }

 private:
  std::vector<std::string> programs_;
  int64_t repeats_ = 3;
  bool json_ = false;
};

class BenchVerifyCommand : public Command {
 public:
  std::string_view name() const override { return "verify"; }
  std::string_view summary() const override {
    return "Measure verification: judge the reference programs of tasks, from an empty build cache";
  }
  std::string_view examples() const override {
    return "  cuset bench verify --tasks examples/verify/tasks.jsonl --executor cpu";
  }

  void declare(Settings& settings) override {
    settings.add("tasks", tasks_, "Tasks whose reference programs are judged");
    settings.require("tasks");
    settings.add_choice("executor", options_.executor, {"auto", "cpu", "gpu"},
                        "Executor that programs run on");
    settings.add("trials", trials_, "Number of fresh inputs for each program");
    settings.add("workers", workers_, "Number of programs judged at the same time (0: one per core)");
    settings.add("limit", limit_, "Use only the first N tasks (0: all)");
    settings.add("json", json_, kJsonHelp);
  }

  int run() override {
    within("trials", trials_, 1, 1000);
    within("workers", workers_, 0, 1024);
    at_least("limit", limit_, 0);
    options_.tasks = benchmarks::read_tasks(tasks_).tasks;
    options_.trials = static_cast<int>(trials_);
    options_.workers = static_cast<int>(workers_);
    options_.limit = static_cast<size_t>(limit_);
    const base::InterruptGuard guard("interrupted: finishing the answers that are being judged");
    const study::VerifyBenchResult result = study::measure_verification(options_);
    std::cout << (json_ ? study::to_json(result).dump(2) + "\n" : study::render_verification_speed(result));
    return guard.is_requested() ? 128 + guard.signal_number() : 0;
  }

 private:
  fs::path tasks_;
  study::VerifyBenchOptions options_;
  int64_t trials_ = 5;
  int64_t workers_ = 0;
  int64_t limit_ = 0;
  bool json_ = false;
};

class BenchCurateCommand : public Command {
 public:
  std::string_view name() const override { return "curate"; }
  std::string_view summary() const override {
    return "Measure curation: parse, deduplicate and verify samples of the gym; project many candidates";
  }
  std::string_view examples() const override {
    return "  cuset bench curate\n"
           "  cuset bench curate --rows 100000 --answers 500 --executor gpu --workers 16";
  }

  void declare(Settings& settings) override {
    settings.add("rows", rows_, "Number of samples to parse and deduplicate");
    settings.add("answers", answers_, "Number of these to verify, from an empty build cache");
    settings.add_choice("executor", options_.executor, {"auto", "cpu", "gpu"},
                        "Executor that programs run on");
    settings.add("trials", trials_, "Number of fresh inputs for each program");
    settings.add("workers", workers_, "Number of rows worked on at the same time (0: one per core)");
    settings.add("projected", projected_, "Number of candidates whose time is projected");
    settings.add("json", json_, kJsonHelp);
  }

  int run() override {
    within("rows", rows_, 1, 10'000'000);
    within("answers", answers_, 1, rows_);
    within("trials", trials_, 1, 1000);
    within("workers", workers_, 0, 1024);
    at_least("projected", projected_, 1);
    options_.rows = static_cast<uint64_t>(rows_);
    options_.answers = static_cast<uint64_t>(answers_);
    options_.trials = static_cast<int>(trials_);
    options_.workers = static_cast<int>(workers_);
    options_.projected = static_cast<uint64_t>(projected_);
    const base::InterruptGuard guard("interrupted: nothing is measured");
    const study::CurationBenchResult result = study::measure_curation(options_);
    std::cout << (json_ ? study::to_json(result).dump(2) + "\n" : study::render_curation_speed(result));
    return 0;
  }

 private:
  study::CurationBenchOptions options_;
  int64_t rows_ = 20'000;
  int64_t answers_ = 60;
  int64_t trials_ = 5;
  int64_t workers_ = 0;
  int64_t projected_ = 90'000;
  bool json_ = false;
};

class BenchCommand : public CommandGroup {
 public:
  std::string_view name() const override { return "bench"; }
  std::string_view summary() const override {
    return "Measure training, generation, the tokenizer, CUDA programs, verification and curation on this machine";
  }
  std::string_view examples() const override {
    return "  cuset bench train --shape tiny-7m --samples 8 --tokens 512 --device cpu\n"
           "  cuset bench generate --batch 1,64 --prompt 512 --new-tokens 256\n"
           "  cuset bench tokenizer --model assets/model --data testdata/data/kernels.jsonl --threads 1,2\n"
           "  cuset bench run --program matrix_product,block_reduction\n"
           "  cuset bench verify --tasks examples/verify/tasks.jsonl --executor cpu";
  }

  std::vector<std::unique_ptr<Command>> subcommands() const override {
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(std::make_unique<BenchTrainCommand>());
    commands.push_back(std::make_unique<BenchGenerateCommand>());
    commands.push_back(std::make_unique<BenchTokenizerCommand>());
    commands.push_back(std::make_unique<BenchRunCommand>());
    commands.push_back(std::make_unique<BenchVerifyCommand>());
    commands.push_back(std::make_unique<BenchCurateCommand>());
    return commands;
  }
};

}  // namespace

std::unique_ptr<Command> make_bench_command() { return std::make_unique<BenchCommand>(); }

}  // namespace cuset::cli
