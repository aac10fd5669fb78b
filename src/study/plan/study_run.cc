#include "study/plan/study_run.h"

#include <algorithm>
#include <csignal>
#include <list>
#include <map>
#include <thread>

#include "base/error.h"
#include "base/files/copy_folder.h"
#include "base/files/file.h"
#include "base/files/make_folder.h"
#include "base/human_readable.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/table_text.h"
#include "base/utc_time.h"
#include "ops/device/backend.h"
#include "study/machine.h"
#include "study/plan/job_record.h"
#include "study/plan/started_job.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLookInterval{50};

// Jobs that one process does: several for generation, which serves all adapters of a base together.
struct Launch {
  std::vector<size_t> jobs;
  std::vector<std::string> command;
};

struct RunningLaunch {
  Launch launch;
  StartedJob process;
};

class PartRun {
 public:
  PartRun(const StudyJobs& jobs, const StudyRunOptions& options, const std::vector<bool>& chosen,
          StudyPart part)
      : jobs_(jobs.jobs), options_(options), part_(part) {
    for (size_t i = 0; i < jobs_.size(); ++i) {
      if (!chosen[i] || jobs_[i].part != part) continue;
      if (state_of(jobs_[i], options.output) == JobState::kDone) {
        ++result_.done_before;
      } else {
        open_.push_back(i);
      }
    }
  }

  StudyRunResult run() {
    if (open_.empty()) return result_;
    base::Progress progress({.title = std::string(name_of(part_)),
                             .total = open_.size() + result_.done_before,
                             .unit = "jobs",
                             .done = result_.done_before});
    while (true) {
      start_what_can(progress);
      if (running_.empty()) break;
      pass_on_interrupt();
      std::this_thread::sleep_for(kLookInterval);
      collect_ended(progress);
    }
    report_waiting();
    if (!result_.is_interrupted) progress.finish();
    return result_;
  }

 private:
  fs::path path(const fs::path& relative) const { return options_.output / relative; }

  // A verification uses all cores by itself.
  size_t places() const {
    const bool is_parallel = part_ == StudyPart::kTrain || part_ == StudyPart::kGenerate;
    return is_parallel ? std::max<size_t>(1, options_.parallel) : 1;
  }

  bool is_ready(size_t index) const {
    return std::all_of(jobs_[index].needs.begin(), jobs_[index].needs.end(), [&](size_t need) {
      return state_of(jobs_[need], options_.output) == JobState::kDone;
    });
  }

  // The open jobs that can start in the process of the first that can, that one first; none where nothing can.
  std::vector<size_t> startable_together() const {
    const auto first = std::find_if(open_.begin(), open_.end(), [&](size_t i) { return is_ready(i); });
    if (first == open_.end()) return {};
    std::vector<size_t> together = {*first};
    const fs::path shared = jobs_[*first].shared_output;
    for (auto i = first + 1; !shared.empty() && i != open_.end(); ++i)
      if (jobs_[*i].shared_output == shared && is_ready(*i)) together.push_back(*i);
    return together;
  }

  // Takes the next jobs that can start out of the open ones. Those that one process could do are dealt out over
  // the free places.
  Launch take_next() {
    std::vector<size_t> together = startable_together();
    const size_t free_places = places() - running_.size();
    together.resize((together.size() + free_places - 1) / free_places);
    std::erase_if(open_,
                  [&](size_t i) { return std::find(together.begin(), together.end(), i) != together.end(); });
    return {std::move(together), {}};
  }

  void start_what_can(base::Progress& progress) {
    while (!base::is_interrupt_requested() && running_.size() < places()) {
      Launch launch = take_next();
      if (launch.jobs.empty()) return;
      try {
        start(std::move(launch), progress);
      } catch (const base::Error& error) {
        ++result_.failed;
        base::log_error("{}", error.one_line());
      }
    }
  }

  void start(Launch launch, base::Progress& progress) {
    for (const size_t i : launch.jobs) prepare(jobs_[i]);
    const StudyJob& first = jobs_[launch.jobs[0]];
    if (first.command.empty()) {
      copy(first);
      progress.add();
      return;
    }
    launch.command = command_of(launch);
    StartedJob process(options_.program, launch.command, path(first.log));
    running_.push_back({std::move(launch), std::move(process)});
    progress.set_note(note());
  }

  void prepare(const StudyJob& job) const {
    const JobState state = state_of(job, options_.output);
    if (state == JobState::kStale || (state == JobState::kBegun && !job.resumes)) {
      remove_leftovers(job, options_.output);
    }
    base::make_folder(path(job.record).parent_path());
    if (!job.settings_file.empty())
      base::write_file_atomic(path(job.settings_file), settings_as_yaml(job.settings));
    if (!job.input_file.empty()) base::write_file_atomic(path(job.input_file), job.input_text);
    write_begun_record(job, options_.output, cost_so_far(job));
  }

  JobCost cost_so_far(const StudyJob& job) const {
    JobCost cost = cost_of(job, options_.output);
    cost.machine = options_.machine;
    cost.finished.clear();
    return cost;
  }

  void copy(const StudyJob& job) {
    if (!fs::is_regular_file(job.copied_from)) {
      throw base::Error("{}: no such file: {}", job.name, job.copied_from.string())
          .with_remedy("paths in a plan are relative to the current folder");
    }
    base::copy_regular_file(job.copied_from, path(job.results[0]));
    finish(job, 0);
  }

  std::vector<std::string> command_of(const Launch& launch) const {
    const StudyJob& first = jobs_[launch.jobs[0]];
    std::vector<std::string> words = first.command;
    if (!first.shared_output.empty()) {
      for (const size_t i : launch.jobs) {
        if (jobs_[i].adapter.empty()) {
          words.push_back("--base");
        } else {
          words.insert(words.end(), {"--adapter", path(jobs_[i].adapter).string()});
        }
      }
      // `cuset generate` makes a folder for each set only where there are several.
      const fs::path folder = launch.jobs.size() > 1 ? first.shared_output : first.record.parent_path();
      words.insert(words.end(), {"--output", path(folder).string()});
    }
    if (!first.settings_file.empty())
      words.insert(words.end(), {"--config", path(first.settings_file).string()});
    return words;
  }

  void pass_on_interrupt() {
    if (result_.is_interrupted || !base::is_interrupt_requested()) return;
    result_.is_interrupted = true;
    for (const RunningLaunch& running : running_) running.process.signal(SIGTERM);
  }

  void collect_ended(base::Progress& progress) {
    for (auto running = running_.begin(); running != running_.end();) {
      const std::optional<int> status = running->process.ended();
      if (!status) {
        ++running;
        continue;
      }
      conclude(*running, *status);
      if (*status == 0) progress.add(running->launch.jobs.size());
      running = running_.erase(running);
      if (!running_.empty()) progress.set_note(note());
    }
    progress.add(0);  // redraws where it is due
  }

  void conclude(const RunningLaunch& running, int status) {
    const double share = running.process.seconds() / static_cast<double>(running.launch.jobs.size());
    const StudyJob& first = jobs_[running.launch.jobs[0]];
    try {
      for (const size_t i : running.launch.jobs) {
        if (status == 0) {
          finish(jobs_[i], share);
        } else {
          JobCost cost = cost_so_far(jobs_[i]);
          cost.seconds += share;
          write_begun_record(jobs_[i], options_.output, cost);
        }
      }
    } catch (const std::exception& error) {
      base::log_error("{}: {}", first.name, error.what());
      status = 1;
    }
    if (status == 0 || result_.is_interrupted) return;
    result_.failed += running.launch.jobs.size();
    base::log_error("{} {}: exit status {}; the end of {}:\n{}", first.kind, first.name, status,
                    path(first.log).string(), tail_of_log(path(first.log)));
  }

  void finish(const StudyJob& job, double seconds) {
    JobCost cost = cost_so_far(job);
    cost.seconds += seconds;
    cost.side_by_side = places();
    cost.finished = base::utc_time_now();
    write_done_record(job, options_.output, cost);
    ++result_.done;
  }

  std::string note() const {
    std::string names;
    for (const RunningLaunch& running : running_) {
      const StudyJob& first = jobs_[running.launch.jobs[0]];
      names += (names.empty() ? "" : ", ") + first.name;
      if (running.launch.jobs.size() > 1)
        names += fmt::format(" and {} more", running.launch.jobs.size() - 1);
    }
    return names;
  }

  void report_waiting() {
    result_.is_interrupted |= base::is_interrupt_requested();
    result_.waiting = open_.size();
    if (open_.empty() || result_.is_interrupted) return;
    const StudyJob& job = jobs_[open_[0]];
    std::string missing;
    for (const size_t need : job.needs) {
      if (state_of(jobs_[need], options_.output) != JobState::kDone) missing = jobs_[need].name;
    }
    base::log_warning("{} {} not started: {} needs {}, which is not done", base::counted(open_.size(), "job"),
                      open_.size() == 1 ? "was" : "were", job.name, missing);
  }

  const std::vector<StudyJob>& jobs_;
  const StudyRunOptions& options_;
  StudyPart part_;
  StudyRunResult result_;
  std::vector<size_t> open_;
  std::list<RunningLaunch> running_;
};

}  // namespace

StudyRunResult run_study_jobs(const StudyJobs& jobs, const StudyRunOptions& options) {
  const std::vector<bool> chosen = chosen_jobs(jobs, options.only);
  StudyRunResult all;
  for (const StudyPart part : kStudyParts) {
    if (!options.parts.contains(part) || part == StudyPart::kTables) continue;
    const StudyRunResult result = PartRun(jobs, options, chosen, part).run();
    all.done_before += result.done_before;
    all.done += result.done;
    all.failed += result.failed;
    all.waiting += result.waiting;
    all.is_interrupted |= result.is_interrupted;
    if (all.is_interrupted || base::is_interrupt_requested()) {
      all.is_interrupted = true;
      break;
    }
  }
  return all;
}

std::string describe_this_machine() {
  const ops::TensorBackend backend = ops::describe_tensor_backend();
  if (!backend.gpus.empty()) return backend.gpus[0].name;
  const std::string processor = processor_name();
  return fmt::format("{}, {} threads, no GPU", processor.empty() ? "CPU" : processor, backend.cpu_threads);
}

}  // namespace cuset::study
