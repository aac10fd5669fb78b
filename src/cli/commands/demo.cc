// cuset demo: the whole story on the built-in model, as a sequence of this program's own commands.
// docs/demo.md.
#include "base/files/make_folder.h"
#include "cli/commands/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdlib>
#include <iostream>

#include "base/error.h"
#include "base/files/search_path.h"
#include "base/human_readable.h"
#include "base/interrupt.h"
#include "base/json/json.h"
#include "base/json/run_claim.h"
#include "base/log.h"
#include "base/table_text.h"
#include "base/utc_time.h"
#include "cli/framework/setting_limits.h"
#include "cli/framework/version.h"
#include "ops/device/backend.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

// One command of the story.
struct Step {
  std::string title;
  Words command;
  fs::path made = {};  // skipped where this file is there; empty: the command itself resumes where it stopped
};

// As it would be typed.
std::string command_line(const Words& words) {
  std::string line = "cuset";
  for (const std::string& word : words) {
    const bool is_plain = word.find_first_of(" '\"$&|<>();*?") == std::string::npos && !word.empty();
    line += is_plain ? " " + word : fmt::format(" '{}'", word);
  }
  return line;
}

// The folder assets/model of the model that comes with the program: of $CUSET_ASSETS, of an installation
// (../share/cuset beside the program), or of the checkout that the program was built from.
fs::path builtin_model_folder() {
  std::vector<fs::path> assets;
  if (const char* chosen = std::getenv("CUSET_ASSETS")) assets.emplace_back(chosen);
  if (const fs::path folder = base::program_folder(); !folder.empty()) {
    assets.push_back(folder.parent_path() / "share/cuset/assets");
  }
  assets.emplace_back(CUSET_ASSETS_FOLDER);
  for (const fs::path& folder : assets) {
    std::error_code failed;
    if (fs::exists(folder / "model/config.json", failed)) return folder / "model";
  }
  throw base::Error("the built-in model is not at {}", (assets.back() / "model").string())
      .with_remedy("set CUSET_ASSETS to the folder assets/ of a checkout, or give --model");
}

class DemoCommand : public Command {
 public:
  explicit DemoCommand(std::function<int(const Words&)> run_cuset) : run_cuset_(std::move(run_cuset)) {}

  std::string_view name() const override { return "demo"; }
  std::string_view summary() const override {
    return "Show everything in minutes: analyze, tune with SFT and CuSeT, generate, verify, report";
  }
  std::string_view examples() const override {
    return "  cuset demo\n"
           "  cuset demo --output runs/longer --data 3000 --tasks 200\n"
           "  cuset demo --output runs/clean --noise 0\n"
           "  cuset demo --output runs/noisy --noise 0.3 --noise-kinds wrong:3,verbose,odd_style";
  }

  void declare(Settings& settings) override {
    settings.add("output", output_, "Folder of all results; a demo that is there resumes");
    settings.add_alias("output_dir", "output");
    settings.add("model", model_, "Model folder (none: the built-in model)");
    settings.add("data", data_, "Number of samples to tune on");
    settings.add("noise", noise_, "Share of these samples that are like scraped data");
    settings.add("noise_kinds", noise_kinds_,
                 "What is odd about them, as in cuset gym data: around, wrong, verbose, odd_style");
    settings.add("tasks", tasks_, "Number of held-out tasks to answer");
    settings.add("samples", samples_, "Number of answers to each task, at temperature 0.8");
    settings.add("seed", seed_, "Random seed of data, training and sampling");
    settings.add_choice("executor", executor_, {"auto", "cpu", "gpu"}, "Executor that answers run on");
  }

  int run() override {
    at_least("data", data_, 1);
    at_least("tasks", tasks_, 1);
    at_least("samples", samples_, 1);
    if (model_.empty()) model_ = builtin_model_folder();
    const base::InterruptGuard guard("interrupted");  // also between the steps and while one begins
    base::make_folder(output_);
    base::claim_run(file("run.json"), identity(), about(), "the demo's results");
    const auto begin = std::chrono::steady_clock::now();
    const int status = tell_story(guard);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    const double seconds = add_to_total(taken.count());
    if (status == 0) return finish(seconds);
    base::log_info("the demo stopped here; the same command resumes it");
    return status;
  }

 private:
  std::string file(const std::string& name) const { return (output_ / name).string(); }

  base::Json identity() const {
    return {
        {"model", model_.string()}, {"data", data_},       {"noise", noise_}, {"noise_kinds", noise_kinds_},
        {"tasks", tasks_},          {"samples", samples_}, {"seed", seed_},   {"executor", executor_}};
  }

  base::Json about() const {
    return {{"command", "demo"}, {"version", program_version()}, {"revision", git_revision()}};
  }

  std::vector<Step> story() const {
    const std::string seed = std::to_string(seed_);
    return {
        {"programs to learn from",
         {"gym", "data", "--output", file("train.jsonl"), "--count", std::to_string(data_), "--noise",
          fmt::format("{}", noise_), "--noise-kinds", fmt::format("{}", fmt::join(noise_kinds_, ",")),
          "--seed", seed},
         file("train.jsonl")},
        {"tasks that no training data has",
         {"gym", "tasks", "--output", file("tasks.jsonl"), "--split", "held_out", "--count",
          std::to_string(tasks_), "--seed", seed},
         file("tasks.jsonl")},
        {"programs to look at",
         {"gym", "data", "--output", file("kernels.jsonl"), "--split", "held_out", "--count", "100", "--seed",
          seed},
         file("kernels.jsonl")},
        {"where the model is unsure",
         {"analyze", "--model", model_.string(), "--data", file("kernels.jsonl"), "--output",
          file("analysis"), "--lowest", "3"},
         file("analysis/analysis.json")},
        training("sft"),
        training("cuset"),
        {"answers, compiled and run",
         {"evaluate",
          "--model",
          model_.string(),
          "--adapter",
          file("sft"),
          "--adapter",
          file("cuset"),
          "--tasks",
          file("tasks.jsonl"),
          "--samples",
          std::to_string(samples_),
          "--temperature",
          "0.8",
          "--max-new-tokens",
          "1000",
          "--seed",
          seed,
          "--judge-seed",
          seed,
          "--executor",
          executor_,
          "--output",
          file("answers")}},
    };
  }

  Step training(const std::string& objective) const {
    return {fmt::format("an adapter tuned with {}", objective == "sft" ? "SFT" : "CuSeT"),
            {"train",
             "--model",
             model_.string(),
             "--data",
             file("train.jsonl"),
             "--output",
             file(objective),
             "--objective",
             objective,
             "--learning-rate",
             "2e-3",
             "--num-train-epochs",
             "1",
             "--per-device-train-batch-size",
             "8",
             "--batching",
             "packed_samples",
             "--cutoff-len",
             "8192",
             "--warmup-ratio",
             "0.05",
             "--save-steps",
             "50",
             "--save-total-limit",
             "1",
             "--seed",
             std::to_string(seed_),
             "--resume"}};
  }

  int tell_story(const base::InterruptGuard& guard) const {
    const std::vector<Step> steps = story();
    for (size_t i = 0; i < steps.size(); ++i) {
      if (const int status = perform(steps[i], i + 1, steps.size()); status != 0) return status;
      // The step was over before it noticed.
      if (guard.is_requested()) return 128 + guard.signal_number();
    }
    return 0;
  }

  int perform(const Step& step, size_t number, size_t count) const {
    std::cout << fmt::format("\n[{}/{}] {}\n$ {}\n", number, count, step.title, command_line(step.command))
              << std::flush;
    if (!step.made.empty() && fs::exists(step.made)) {
      std::cout << "done before\n";
      return 0;
    }
    return run_cuset_(step.command);
  }

  int finish(double seconds) const {
    base::write_json_file(output_ / "report.json", report(seconds));
    std::cout << fmt::format("\n$ {}\n", command_line({"report", output_.string()})) << std::flush;
    if (const int status = run_cuset_({"report", output_.string()}); status != 0) return status;
    std::cout << fmt::format("\nthe whole demo: {}\nopen {} in a browser\n", base::human_duration(seconds),
                             fs::absolute(output_ / "report.html").string());
    return 0;
  }

  // Seconds of this call and of the earlier ones that it resumes.
  double add_to_total(double seconds) const {
    const fs::path record = output_ / "seconds.json";
    if (fs::exists(record)) seconds += base::read_json_file(record).value("seconds", 0.0);
    base::write_json_file(record, {{"seconds", seconds}});
    return seconds;
  }

  base::Json report(double seconds) const {
    base::Json methods = base::Json::array();
    methods.push_back(method("vanilla", "base"));
    methods.push_back(method("SFT", "sft"));
    methods.push_back(method("CuSeT", "cuset"));
    const ops::TensorBackend backend = ops::describe_tensor_backend();
    const std::string machine = backend.gpus.empty()
                                    ? fmt::format("{} CPU threads, no GPU", backend.cpu_threads)
                                    : backend.gpus[0].name;
    return {{"format", "cuset-report/1"},
            {"title", "Teaching a small model to write CUDA"},
            {"subtitle", fmt::format("{}, {} held-out tasks, {} answers to each at temperature 0.8",
                                     describe_data(), tasks_, samples_)},
            {"created", base::utc_time_now()},
            {"machine", machine},
            {"command", command_line({"demo", "--output", output_.string()})},
            {"seconds", seconds},
            {"notes", base::Json::array()},
            {"analysis", "analysis/analysis.json"},
            {"tasks", "tasks.jsonl"},
            {"methods", std::move(methods)}};
  }

  // "800 samples (30 % with noise: around)"
  std::string describe_data() const {
    const std::string samples = base::counted(static_cast<uint64_t>(data_), "sample");
    return noise_ == 0 ? samples
                       : fmt::format("{} ({:.0f} % with noise: {})", samples, 100 * noise_,
                                     fmt::join(noise_kinds_, ", "));
  }

  static base::Json method(const std::string& name, const std::string& folder) {
    base::Json entry = {{"name", name}};
    if (folder != "base") entry["metrics"] = folder + "/metrics.jsonl";
    for (const char* part : {"answers.jsonl", "verdicts.jsonl", "summary.json"}) {
      entry[fs::path(part).stem().string()] = fmt::format("answers/{}/{}", folder, part);
    }
    return entry;
  }

  std::function<int(const Words&)> run_cuset_;
  fs::path output_ = "runs/demo";
  fs::path model_;
  int64_t data_ = 800;
  double noise_ = 0.3;
  std::vector<std::string> noise_kinds_ = {"around"};
  int64_t tasks_ = 40;
  int64_t samples_ = 3;
  int64_t seed_ = 1;
  std::string executor_ = "auto";
};

}  // namespace

std::unique_ptr<Command> make_demo_command(std::function<int(const Words&)> run_cuset) {
  return std::make_unique<DemoCommand>(std::move(run_cuset));
}

}  // namespace cuset::cli
