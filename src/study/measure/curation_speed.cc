#include "study/measure/curation_speed.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/human_readable.h"
#include "base/machine/machine_share.h"
#include "base/machine/worker_pool.h"
#include "curate/run/curation_run.h"
#include "execute/run/executor_choice.h"
#include "gym/records.h"
#include "judge/judge.h"

namespace cuset::study {
namespace {

constexpr uint64_t kBenchSeed = 1;
constexpr double kNoisyShare = 1.0 / 3;

// Samples with reasoning, as a teacher gives them, and the tasks of the first `with_task` of them.
void write_samples(const CurationBenchOptions& options, const std::filesystem::path& folder) {
  const gym::TaskSource source({kBenchSeed, gym::GymSplit::kTrain, {}});
  gym::SampleOptions sampled;
  sampled.noise = kNoisyShare;
  sampled.reasoning = gym::reasoning_lengths("mixed");
  base::AtomicFile all(folder / "all.jsonl"), few(folder / "few.jsonl"), tasks(folder / "tasks.jsonl");
  const base::OrderedWork work{options.rows, options.workers, "bench curate: samples"};
  const bool is_done = base::make_in_order<std::string>(
      work,
      [&](uint64_t number) {
        return base::to_json_line(gym::sample_record(source, number, kBenchSeed, sampled)) + "\n";
      },
      [&](uint64_t number, std::string& line) {
        all.write(line);
        if (number >= options.answers) return;
        few.write(line);
        tasks.write(base::to_json_line(tasks::json_of(source.task(number).task)) + "\n");
      });
  if (!is_done) throw base::Error("interrupted").with_remedy("nothing was measured");
  all.commit();
  few.commit();
  tasks.commit();
}

std::map<std::string, double> seconds_of_stages(const std::string& plan, curate::CurationSettings settings) {
  const curate::CurationResult result =
      curate::run_curation(curate::parse_curation_plan(plan, "bench.yaml"), settings);
  if (result.is_interrupted) throw base::Error("interrupted").with_remedy("nothing was measured");
  std::map<std::string, double> seconds;
  for (const curate::StageCount& stage : result.stages) seconds[stage.name] = stage.seconds;
  return seconds;
}

double rate(uint64_t count, double seconds) { return static_cast<double>(count) / std::max(seconds, 1e-9); }

}  // namespace

double CurationBenchResult::projected_seconds() const {
  const auto of_rows = static_cast<double>(projected) / static_cast<double>(rows);
  const auto of_answers = static_cast<double>(projected) / static_cast<double>(answers);
  return of_rows * (parse_seconds + exact_seconds + near_seconds) + of_answers * verify_seconds;
}

CurationBenchResult measure_curation(const CurationBenchOptions& options) {
  const base::TemporaryFolder folder;
  write_samples(options, folder.path());
  execute::ExecutorSettings executing;
  executing.cache = folder / "objects";
  const execute::ChosenExecutor chosen = execute::choose_executor(options.executor, executing);
  judge::JudgeSettings judging;
  judging.seed = kBenchSeed;
  judging.trials = options.trials;
  judge::Judge judge(*chosen.executor, judging);
  CurationBenchResult result;
  result.machine = chosen.executor->description();
  result.workers = options.workers > 0 ? options.workers : static_cast<int>(base::usable_processors());
  result.rows = options.rows;
  result.answers = std::min(options.answers, options.rows);
  result.projected = options.projected;
  curate::CurationSettings settings;
  settings.workers = result.workers;
  settings.make_judge = [&](const std::filesystem::path&) -> judge::Judge& { return judge; };

  settings.output = folder / "all";
  std::map<std::string, double> seconds = seconds_of_stages(
      fmt::format("sources: {{all: {{file: {}}}}}\nverify: {{unverified: true, harness: false}}\n",
                  (folder / "all.jsonl").string()),
      settings);
  result.parse_seconds = seconds["normalize"];
  result.exact_seconds = seconds["exact"];
  result.near_seconds = seconds["near"];
  settings.output = folder / "few";
  seconds = seconds_of_stages(
      fmt::format("sources: {{few: {{file: {}, tasks: {}}}}}\nduplicates: {{exact: false}}\n",
                  (folder / "few.jsonl").string(), (folder / "tasks.jsonl").string()),
      settings);
  result.verify_seconds = seconds["verify"];
  return result;
}

std::string render_curation_speed(const CurationBenchResult& result) {
  std::string out = fmt::format("{}; {} at a time, cold cache of builds\n", result.machine, result.workers);
  const auto line = [&](const char* stage, uint64_t count, double seconds) {
    out += fmt::format("{:24} {:>9} in {:>8}  {:>10.1f} a second\n", stage, count,
                       base::human_duration(seconds), rate(count, seconds));
  };
  line("parse and normalize", result.rows, result.parse_seconds);
  line("exact duplicates", result.rows, result.exact_seconds);
  line("near-duplicates", result.rows, result.near_seconds);
  line("verify", result.answers, result.verify_seconds);
  return out + fmt::format("{} candidates through all of it, on this machine: {}\n", result.projected,
                           base::human_duration(result.projected_seconds()));
}

base::Json to_json(const CurationBenchResult& result) {
  return {{"machine", result.machine},
          {"workers", result.workers},
          {"rows", result.rows},
          {"answers", result.answers},
          {"parse_per_second", rate(result.rows, result.parse_seconds)},
          {"exact_per_second", rate(result.rows, result.exact_seconds)},
          {"near_per_second", rate(result.rows, result.near_seconds)},
          {"verify_per_second", rate(result.answers, result.verify_seconds)},
          {"projected", result.projected},
          {"projected_seconds", result.projected_seconds()}};
}

}  // namespace cuset::study
