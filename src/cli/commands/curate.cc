// cuset curate: training data from sources and verdicts, by a plan. docs/curate.md.
#include "curate/run/curation_run.h"

#include <iostream>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "benchmarks/benchmark_judge.h"
#include "cli/commands/commands.h"
#include "cli/framework/generation_options.h"
#include "cli/framework/judging.h"
#include "cli/framework/setting_limits.h"
#include "cli/framework/version.h"
#include "study/row_confidence.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

class CurateCommand : public Command {
 public:
  std::string_view name() const override { return "curate"; }
  std::string_view summary() const override {
    return "Make training data: collect, deduplicate, decontaminate, verify and select by a plan";
  }
  std::string_view examples() const override {
    return "  cuset curate examples/curate/plan.yaml --output runs/curated\n"
           "  cuset curate plan.yaml --keep-unverified\n"
           "  cuset curate plan.yaml --select shortest --output runs/shortest\n"
           "  cuset train --model assets/model --data runs/curated/train.jsonl --eval-data runs/curated/validation.jsonl";
  }

  void declare(Settings& settings) override {
    settings.add_positional("plan", plan_, "Plan of the curation, a YAML file (docs/curate.md)");
    settings.require("plan");
    settings.add("output", output_,
                 "Folder of the result; one that is there resumes (empty: a folder in runs/curate)");
    settings.add(
        "keep_unverified", keep_unverified_,
        "Keep rows that no task can verify; they are marked, and execution vouches for none of them");
    settings.add_choice("select", select_, {"", "all", "concur", "random", "shortest", "longest", "fastest"},
                        "Rule that chooses among the candidates of a task (empty: as in the plan)");
    settings.add("workers", workers_, "Number of rows worked on at the same time (0: one per core)");
  }

  int run() override {
    if (plan_.size() != 1)
      throw base::UsageError("curate: {} plans given", plan_.size()).with_remedy("give one");
    within("workers", workers_, 0, 1024);
    curate::CurationPlan plan = curate::read_curation_plan(plan_[0]);
    read_judging(plan);
    if (keep_unverified_) plan.verify.unverified = true;
    if (!select_.empty()) plan.select.rule = curate::rule_named(select_);
    if (output_.empty()) output_ = fs::path("runs/curate") / plan.name;
    const base::InterruptGuard guard("interrupted: the same command resumes later");
    curate::CurationSettings settings;
    settings.output = output_;
    settings.workers = static_cast<int>(workers_ > 0 ? workers_ : judging_.workers);
    settings.make_judge = [this](const fs::path& folder) -> judge::Judge& { return make_judge(folder); };
    if (plan.confidence) settings.reader = reader_of(*plan.confidence);
    settings.version = fmt::format("{} ({})", program_version(), git_revision());
    const curate::CurationResult result = curate::run_curation(plan, settings);
    std::cout << curate::stage_table(result.stages);
    if (result.is_interrupted) return 128 + guard.signal_number();
    std::cout << fmt::format("{} rows to train on, {} to validate: {}\n", result.train, result.validation,
                             output_.string());
    if (result.train + result.validation == 0)
      throw base::Error("no row is left").with_remedy("{}/rejected.jsonl says why", output_.string());
    return 0;
  }

 private:
  // The keys of the plan's section verify, read as cuset verify reads its own.
  void read_judging(const curate::CurationPlan& plan) {
    Settings settings;
    judging_.declare(settings, "seed");
    for (const base::ConfigEntry& entry : plan.verify.judging) {
      if (entry.values.empty() && !entry.is_list) continue;  // null: the default stays
      settings.assign(entry.key, entry.values, fmt::format("{}:{}", plan.file, entry.line));
    }
    judging_.check_flags();
  }

  static curate::RowReader reader_of(const curate::LikelihoodOptions& options) {
    generate::ServedModelOptions served;
    served.folder = options.model;
    if (!options.adapter.empty()) served.adapters = {options.adapter.string()};
    served.placement.device = options.device;
    served.placement.dtype = options.dtype;
    check_model_options(served);
    const generate::ScoringModelOptions model{options.model, options.adapter, served.placement};
    return {study::key_of_reader(model),
            [model, tau = options.tau](const auto& samples, const fs::path& file) {
              return study::unlikely_shares(model, tau, samples, file);
            }};
  }

  judge::Judge& make_judge(const fs::path& folder) {
    chosen_ = judging_.choose();
    judge_ = benchmarks::make_benchmark_judge(*chosen_.executor, judging_.settings_for(folder));
    return *judge_;
  }

  std::vector<std::string> plan_;
  fs::path output_;
  bool keep_unverified_ = false;
  std::string select_;
  int64_t workers_ = 0;
  Judging judging_;
  execute::ChosenExecutor chosen_;
  std::unique_ptr<judge::Judge> judge_;
};

}  // namespace

std::unique_ptr<Command> make_curate_command() { return std::make_unique<CurateCommand>(); }

}  // namespace cuset::cli
