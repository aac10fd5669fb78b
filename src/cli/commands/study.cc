// cuset study: methods compared on several bases, data sets and seeds, from one plan. docs/study.md.
#include "base/files/make_folder.h"
#include "cli/commands/commands.h"

#include <algorithm>
#include <iostream>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/nearest_name.h"
#include "base/table_text.h"
#include "cli/framework/setting_limits.h"
#include "cli/framework/version.h"
#include "ops/device/backend.h"
#include "study/plan/estimate.h"
#include "study/plan/jobs.h"
#include "study/plan/plan.h"
#include "study/plan/results.h"
#include "study/plan/study_run.h"
#include "study/plan/study_tables.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

// The command, or the subcommand of cuset gym, that a plan passes settings to.
std::unique_ptr<Command> command_named(std::string_view name) {
  if (name == "train") return make_train_command();
  if (name == "generate") return make_generate_command();
  if (name == "verify") return make_verify_command();
  for (std::unique_ptr<Command>& command : make_gym_command()->subcommands()) {
    if (name == fmt::format("gym {}", command->name())) return std::move(command);
  }
  CUSET_CHECK(false, "no command {}", name);
}

// The command's own reader refuses a wrong key or value, with its place in the plan.
void check_settings(std::string_view name, const study::PlanSettings& entries, const std::string& file) {
  const std::unique_ptr<Command> command = command_named(name);
  Settings settings;
  command->declare(settings);
  for (const base::ConfigEntry& entry : entries) {
    if (entry.values.empty() && !entry.is_list) continue;  // null: the default stays
    settings.assign(entry.key, entry.values, fmt::format("{}:{}", file, entry.line));
  }
}

std::set<study::StudyPart> parts_named(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const study::StudyPart part : study::kStudyParts) known.emplace_back(study::name_of(part));
  std::set<study::StudyPart> parts;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw base::UsageError("--parts: {} is not one of {}{}", base::in_quotes(name), fmt::join(known, ", "),
                             base::did_you_mean(name, known));
    }
    parts.insert(study::kStudyParts[found - known.begin()]);
  }
  if (parts.empty()) throw base::UsageError("--parts: none given");
  return parts;
}

class StudyCommand : public Command {
 public:
  std::string_view name() const override { return "study"; }
  std::string_view summary() const override {
    return "Compare methods over bases, data and seeds from one plan: train, generate, verify, tables";
  }
  std::string_view examples() const override {
    return "  cuset study recipes/studies/noise.yaml --dry-run\n"
           "  cuset study recipes/studies/noise.yaml --output runs/noise --parallel 4\n"
           "  cuset study recipes/studies/noise.yaml --output runs/noise --only 'builtin/sft-*'\n"
           "  cuset study recipes/studies/noise.yaml --output runs/noise --parts verify,tables";
  }

  void declare(Settings& settings) override {
    settings.add_positional("plan", plan_, "Plan of the study, a YAML file (docs/study.md)");
    settings.require("plan");
    settings.add("output", output_,
                 "Folder of the study; one that is there resumes (empty: a folder in runs/study)");
    settings.add("parts", parts_, "Parts to do: data, train, generate, verify, tables");
    settings.add("only", only_, "Do only cells whose names contain this text or fit this shell pattern");
    settings.add("parallel", parallel_, "Number of processes that train or generate at the same time");
    settings.add("batch_size", batch_size_,
                 "Number of answers generated at the same time (0: as in the plan)");
    settings.add("dry_run", dry_run_,
                 "Print cells, what is done and an estimate of the time, and do nothing");
  }

  int run() override {
    if (plan_.size() != 1)
      throw base::UsageError("study: {} plans given", plan_.size()).with_remedy("give one");
    within("parallel", parallel_, 1, 64);
    const std::set<study::StudyPart> parts = parts_named(parts_);
    at_least("batch_size", batch_size_, 0);
    study::StudyPlan plan = study::read_study_plan(plan_[0]);
    study::check_plan_settings(plan, check_settings);
    if (batch_size_ > 0) set_batch_size(plan);
    if (output_.empty()) output_ = fs::path("runs/study") / plan.name;
    check_models(plan, parts);
    const study::StudyJobs jobs = study::jobs_of(plan, output_);
    refuse_pattern_without_cells(jobs);
    if (dry_run_) return print_dry_run(plan, jobs);
    return do_parts(plan, jobs, parts);
  }

 private:
  void set_batch_size(study::StudyPlan& plan) const {
    const base::ConfigEntry entry{
        .key = "batch_size", .values = {std::to_string(batch_size_)}, .is_list = false, .line = 1};
    for (study::PlannedSettings& decoding : plan.decodings)
      decoding.settings = study::merged_settings(decoding.settings, {entry});
  }

  // Missing model folders are found before the first job, not by each of them.
  void check_models(const study::StudyPlan& plan, const std::set<study::StudyPart>& parts) const {
    if (!parts.contains(study::StudyPart::kTrain) && !parts.contains(study::StudyPart::kGenerate)) return;
    for (const study::PlannedBase& base : plan.bases) {
      std::error_code failed;
      if (base.model.empty() || fs::exists(fs::path(base.model) / "config.json", failed)) continue;
      throw base::UsageError("{}:{}: bases.{}: {} is not a model folder", plan.file, base.line, base.name,
                             base.model)
          .with_remedy("paths in a plan are relative to the current folder");
    }
  }

  void refuse_pattern_without_cells(const study::StudyJobs& jobs) const {
    const std::vector<bool> chosen = study::chosen_jobs(jobs, only_);
    if (std::find(chosen.begin(), chosen.end(), true) != chosen.end()) return;
    throw base::UsageError("--only: no cell fits {}", base::in_quotes(only_))
        .with_remedy("`--dry-run` lists the cells; names are like BASE/METHOD-DATA-SEED");
  }

  int print_dry_run(const study::StudyPlan& plan, const study::StudyJobs& jobs) const {
    const ops::TensorBackend backend = ops::describe_tensor_backend();
    const study::MachineSpeed speed{!backend.gpus.empty(), static_cast<size_t>(backend.cpu_threads)};
    const std::vector<bool> chosen = study::chosen_jobs(jobs, only_);
    const auto estimates =
        study::estimate_study(jobs, output_, chosen, speed, static_cast<size_t>(parallel_));
    std::cout << study::dry_run_text(plan, jobs, output_, chosen, estimates);
    return 0;
  }

  int do_parts(const study::StudyPlan& plan, const study::StudyJobs& jobs,
               const std::set<study::StudyPart>& parts) const {
    const base::InterruptGuard guard("interrupted: the same command resumes later");
    base::make_folder(output_);
    const study::StudyRunResult result =
        study::run_study_jobs(jobs, {.output = output_,
                                     .parts = parts,
                                     .only = only_,
                                     .parallel = static_cast<size_t>(parallel_),
                                     .machine = study::describe_this_machine()});
    base::log_info("{} done, {} done before, {} failed, {} not started", result.done, result.done_before,
                   result.failed, result.waiting);
    if (result.is_interrupted) return 128 + guard.signal_number();
    if (parts.contains(study::StudyPart::kTables)) write_tables(plan, jobs);
    return result.failed + result.waiting == 0 ? 0 : 1;
  }

  void write_tables(const study::StudyPlan& plan, const study::StudyJobs& jobs) const {
    const study::StudyOrigin origin{fmt::format("cuset study {} --output {}", plan.file, output_.string()),
                                    fmt::format("{} ({})", program_version(), git_revision())};
    const study::StudyResults results = study::compute_results(plan, jobs, output_);
    std::cout << study::write_study_tables(plan, results, origin, output_);
    std::cout << fmt::format("tables: {}\n", (output_ / "tables").string());
  }

  std::vector<std::string> plan_;
  fs::path output_;
  std::vector<std::string> parts_ = {"data", "train", "generate", "verify", "tables"};
  std::string only_;
  int64_t parallel_ = 1;
  int64_t batch_size_ = 0;
  bool dry_run_ = false;
};

}  // namespace

std::unique_ptr<Command> make_study_command() { return std::make_unique<StudyCommand>(); }

}  // namespace cuset::cli
