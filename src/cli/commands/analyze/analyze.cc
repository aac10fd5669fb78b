// cuset analyze: how confident a model is of CUDA code, token by token and window by window.
// docs/analyze.md.
#include "cli/commands/commands.h"

#include <iostream>

#include "base/console.h"
#include "base/interrupt.h"
#include "cli/commands/analyze/analyze_table.h"
#include "cli/framework/command_record.h"
#include "cli/framework/generation_options.h"
#include "cli/framework/judging.h"
#include "cli/framework/over_length.h"
#include "cli/framework/placement_settings.h"
#include "cli/framework/setting_limits.h"
#include "ops/device/memory.h"
#include "report/report.h"
#include "study/analysis_run.h"

namespace cuset::cli {
namespace {

class AnalyzeCommand : public Command {
 public:
  std::string_view name() const override { return "analyze"; }
  std::string_view summary() const override {
    return "Measure how confident a model is of CUDA code: sensitive and neutral tokens, low windows, KS "
           "test";
  }
  std::string_view examples() const override {
    return "  cuset analyze --model M --data held_out.jsonl --output runs/analysis\n"
           "  cuset analyze --model M --data kernels/ --output runs/analysis   # every .cu and .cuh\n"
           "  cuset analyze --model M --adapter runs/cuset --data a.cu b.cu --output runs/tuned\n"
           "  cuset analyze --model M --data D --output runs/analysis --window 128   # reuses the scores";
  }

  void declare(Settings& settings) override {
    generate::ScoringModelOptions& model = request_.model;
    settings.add("model", model.folder, "Model folder: Qwen2, Qwen3, Qwen3-MoE, Llama or Mistral");
    settings.require("model");
    settings.add("adapter", model.adapter, "Adapter folder; none: the model itself");
    settings.add_positional("data", request_.data,
                            "CUDA code: .jsonl, .cu and .cuh files, folders of sources");
    settings.require("data");
    settings.add("output", request_.output, "Folder of the results; a run that is there resumes");
    settings.add_alias("output_dir", "output");
    settings.require("output");
    settings.add("limit", limit_, "Use only the first N samples (0: all)");
    settings.add_alias("max_samples", "limit");
    settings.add("cutoff_len", cutoff_len_,
                 "Maximum number of tokens of a sample, at most the model's context length");
    settings.add_choice("over_length", over_length_, {"drop", "error", "truncate"},
                        "What to do with longer samples");
    declare_labels(settings);
    declare_results(settings);
    declare_placement(settings, model.placement);
    settings.add("threads", model.placement.threads, "Number of CPU threads (0: all cores)");
    settings.add("batch_tokens", batch_tokens_, "Number of tokens that the model scores at a time");
    settings_ = &settings;
  }

  int run() override {
    check();
    request_.about = command_record("analyze", *settings_);
    const base::InterruptGuard guard("interrupted: the same command resumes later");
    const std::optional<study::Analysis> analysis = measure();
    if (!analysis) return 128 + guard.signal_number();
    const std::filesystem::path page = report::write_report(request_.output);
    if (json_) {
      std::cout << study::json_of(*analysis).dump(2, ' ', false, base::Json::error_handler_t::replace)
                << "\n";
    } else {
      std::cout << render_analysis(*analysis, {table_columns(), base::output_has_color()})
                << fmt::format("\nresults: {}\nreport:  {}\n", request_.output.string(), page.string());
    }
    return 0;
  }

 private:
  std::optional<study::Analysis> measure() const {
    try {
      return study::run_analysis(request_);
    } catch (const std::exception& error) {
      if (!ops::is_lack_of_memory(error)) throw;
      throw ops::lack_of_memory("lower --batch-tokens or --cutoff-len, or take a smaller model");
    }
  }

  void declare_labels(Settings& settings) {
    settings.add_choice(
        "labels", labels_, {"structures", "mask"},
        "Which tokens are sensitive: structures that depend on the execution model, or the CUDA "
        "mask of training");
    settings.add_choice("scope", scope_, {"code", "response"},
                        "Which tokens are scored: those of the program in a response, or the whole response");
    settings.add("device_functions", request_.device_functions,
                 "Count bodies of device functions that kernels call as kernel bodies");
  }

  void declare_results(Settings& settings) {
    settings.add("window", window_, "Number of tokens of a sliding window");
    settings.add("stride", stride_, "Number of tokens from one window to the next");
    settings.add("lowest", lowest_, "Number of lowest windows to show");
    settings.add("kernels", kernels_, "Number of samples in the heat map");
    settings.add("tau", request_.objective.tau, "Heat map: confidence threshold of the token mask");
    settings.add("lambda", request_.objective.lambda, "Heat map: weight lambda of the CUDA mask");
    settings.add("weight_window", request_.objective.window,
                 "Heat map: number of tokens of the window that weighs a sample");
    settings.add("json", json_, "Print JSON instead of a table");
  }

  void check() {
    generate::ServedModelOptions model;
    model.folder = request_.model.folder;
    if (!request_.model.adapter.empty()) model.adapters = {request_.model.adapter.string()};
    model.placement = request_.model.placement;
    check_model_options(model);
    request_.objective.check();
    at_least("window", window_, 1);
    at_least("stride", stride_, 1);
    at_least("cutoff_len", cutoff_len_, 2);
    at_least("batch_tokens", batch_tokens_, 1);
    at_least("limit", limit_, 0);
    at_least("lowest", lowest_, 0);
    at_least("kernels", kernels_, 0);
    request_.batch_tokens = static_cast<size_t>(batch_tokens_);
    request_.max_samples = static_cast<size_t>(limit_);
    request_.max_tokens = static_cast<size_t>(cutoff_len_);
    request_.kernels = static_cast<size_t>(kernels_);
    request_.over_length = over_length_of(over_length_);
    request_.scope = scope_ == "code" ? study::CodeScope::kCode : study::CodeScope::kResponse;
    study::AnalysisOptions& analysis = request_.analysis;
    analysis.sensitivity = labels_ == "mask" ? study::Sensitivity::kMask : study::Sensitivity::kStructures;
    analysis.windows = {static_cast<size_t>(window_), static_cast<size_t>(stride_)};
    analysis.lowest = static_cast<size_t>(lowest_);
  }

  study::AnalysisRequest request_;
  int64_t batch_tokens_ = 4096;
  int64_t limit_ = 0;
  int64_t cutoff_len_ = 4096;
  std::string over_length_ = "truncate";
  std::string labels_ = "structures";
  std::string scope_ = "code";
  int64_t window_ = 64;
  int64_t stride_ = 1;
  int64_t lowest_ = 10;
  int64_t kernels_ = 4;
  bool json_ = false;
  const Settings* settings_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_analyze_command() { return std::make_unique<AnalyzeCommand>(); }

}  // namespace cuset::cli
