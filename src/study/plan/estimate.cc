#include "study/plan/estimate.h"

#include <algorithm>

#include "base/human_readable.h"
#include "base/table_text.h"
#include "study/plan/job_record.h"

namespace cuset::study {
namespace {

// Work done per second with the built-in model of 7 M parameters: an H200, and one core of an AMD EPYC
// (docs/results.md). Verification compiles on the CPU in either case.
struct KindRate {
  const char* kind;
  const char* unit;
  double gpu;
  double core;
};

constexpr KindRate kRates[] = {
    {"data", "records", 2000, 1000}, {"tasks", "records", 1000, 500}, {"curate", "records", 2.8, 2.8},
    {"train", "samples", 400, 2.2},  {"merge", "models", 0.2, 0.2},   {"generate", "answers", 115, 2.4},
    {"verify", "answers", 2.8, 2.8},
};

double rate_from_table(const KindRate& rate, const MachineSpeed& speed) {
  const bool uses_gpu = speed.has_gpu && rate.gpu != rate.core;
  return uses_gpu ? rate.gpu : rate.core * static_cast<double>(std::max<size_t>(1, speed.cores));
}

// What is known of one kind of jobs.
struct KindTally {
  size_t jobs = 0;
  size_t done = 0;
  double work_done = 0;
  double seconds = 0;
  double work_left = 0;
};

KindTally tally_of(const StudyJobs& jobs, const std::filesystem::path& output,
                   const std::vector<bool>& chosen, std::string_view kind) {
  KindTally tally;
  for (size_t i = 0; i < jobs.jobs.size(); ++i) {
    const StudyJob& job = jobs.jobs[i];
    if (job.kind != kind) continue;
    const bool is_done = state_of(job, output) == JobState::kDone;
    if (is_done) {
      const JobCost cost = cost_of(job, output);
      tally.work_done += job.work;
      tally.seconds += cost.seconds / static_cast<double>(std::max<size_t>(1, cost.side_by_side));
    }
    if (!chosen[i]) continue;
    ++tally.jobs;
    if (is_done) ++tally.done;
    if (!is_done) tally.work_left += job.work;
  }
  return tally;
}

// "done", "1 of 4", "-"
std::string progress_text(const std::vector<size_t>& jobs, const StudyJobs& all,
                          const std::filesystem::path& output, StudyPart part) {
  size_t count = 0;
  size_t done = 0;
  for (const size_t i : jobs) {
    if (all.jobs[i].part != part) continue;
    ++count;
    if (state_of(all.jobs[i], output) == JobState::kDone) ++done;
  }
  if (done == count) return "done";
  return done == 0 ? "-" : fmt::format("{} of {}", done, count);
}

// "assumed: 2.8 answers/s per CPU core, built-in model"
std::string assumed_text(const KindRate& rate) {
  const std::string per_core = fmt::format("{} {}/s per CPU core", rate.core, rate.unit);
  if (rate.gpu == rate.core) return fmt::format("assumed: {}, built-in model", per_core);
  return fmt::format("assumed: {}, {} on an H200, built-in model", per_core, rate.gpu);
}

const KindRate* rate_named(const std::string& kind) {
  const auto* rate = std::find_if(std::begin(kRates), std::end(kRates),
                                  [&](const KindRate& candidate) { return candidate.kind == kind; });
  return rate == std::end(kRates) ? nullptr : rate;
}

}  // namespace

std::vector<KindEstimate> estimate_study(const StudyJobs& jobs, const std::filesystem::path& output,
                                         const std::vector<bool>& chosen, const MachineSpeed& speed,
                                         size_t parallel) {
  std::vector<KindEstimate> estimates;
  for (const KindRate& rate : kRates) {
    const KindTally tally = tally_of(jobs, output, chosen, rate.kind);
    if (tally.jobs == 0) continue;
    const bool is_measured = tally.seconds > 0 && tally.work_done > 0;
    const double per_second = is_measured ? tally.work_done / tally.seconds : rate_from_table(rate, speed);
    // Measured seconds hold what side-by-side runs gain already. The table's are of one run at a time; more of
    // them fill a GPU (30 adapters, four at a time: 1,436 samples per second), not a CPU.
    const bool gains = !is_measured && std::string_view(rate.kind) == "train" && speed.has_gpu;
    const double side_by_side = gains ? static_cast<double>(std::clamp<size_t>(parallel, 1, 4)) : 1;
    estimates.push_back(
        {rate.kind, tally.jobs, tally.done, tally.work_left / per_second / side_by_side, is_measured});
  }
  return estimates;
}

std::string dry_run_text(const StudyPlan& plan, const StudyJobs& jobs, const std::filesystem::path& output,
                         const std::vector<bool>& chosen, const std::vector<KindEstimate>& estimates) {
  const std::vector<StudyCell> cells = cells_of(plan);
  size_t width = 4;
  for (const StudyCell& cell : cells) width = std::max(width, cell.name().size());
  std::string text = fmt::format("{:{}}  {:9}  {:9}  {}\n", "cell", width, "train", "generate", "verify");
  for (size_t i = 0; i < cells.size(); ++i) {
    if (!chosen[jobs.jobs_of_cell[i][0]]) continue;
    const auto part_text = [&](StudyPart part) {
      return progress_text(jobs.jobs_of_cell[i], jobs, output, part);
    };
    text += fmt::format("{:{}}  {:9}  {:9}  {}\n", cells[i].name(), width, part_text(StudyPart::kTrain),
                        part_text(StudyPart::kGenerate), part_text(StudyPart::kVerify));
  }
  text += fmt::format("\n{:8}  {:>6}  {:>6}  {:>9}  rate\n", "jobs", "all", "done", "left");
  double seconds = 0;
  for (const KindEstimate& estimate : estimates) {
    seconds += estimate.seconds_left;
    const KindRate* rate = rate_named(estimate.kind);
    text += fmt::format("{:8}  {:6}  {:6}  {:>9}  {}\n", estimate.kind, estimate.jobs, estimate.done,
                        base::human_duration(estimate.seconds_left),
                        estimate.is_measured ? "measured in this folder" : assumed_text(*rate));
  }
  return text + fmt::format("about {} left\n", base::human_duration(seconds));
}

}  // namespace cuset::study
