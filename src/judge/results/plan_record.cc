#include "judge/results/plan_record.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/files/sha256.h"
#include "base/json/json_cursor.h"
#include "base/json/run_claim.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

// Of all tasks, in whatever order they stand in their file.
std::string hash_of(std::span<const tasks::Task> tasks) {
  std::vector<std::string> lines;
  for (const tasks::Task& task : tasks) lines.push_back(base::to_json_line(tasks::json_of(task)));
  std::sort(lines.begin(), lines.end());
  base::Sha256 hash;
  for (const std::string& line : lines) {
    hash.update(line);
    hash.update("\n");
  }
  return hash.digest();
}

base::Json read_run(const fs::path& file) {
  base::Json run = base::read_json_file(file);
  if (!base::json_member(run, "seed").is_number_unsigned()) {
    throw base::Error("{} is not of a verification", file.string()).with_remedy("choose another --output");
  }
  return run;
}

}  // namespace

base::Json identity_of(const JudgeSettings& judge, const execute::Executor& executor,
                       std::span<const tasks::Task> tasks) {
  return identity_of(judge, executor.name(), tasks);
}

base::Json identity_of(const JudgeSettings& judge, const std::string& executor_name,
                       std::span<const tasks::Task> tasks) {
  base::Json identity = {{"seed", judge.seed},
                         {"executor", executor_name},
                         {"trials", judge.trials},
                         {"check", judge.check},
                         {"lenient", judge.lenient},
                         {"timing", judge.timing},
                         {"judge_with_nvcc", judge.judge_with_nvcc},
                         {"tasks_hash", hash_of(tasks)}};
  if (judge.timing) identity["timing_rounds"] = judge.timing_rounds;
  return identity;
}

void claim_folder(const fs::path& folder, const base::Json& identity, const base::Json& about) {
  const fs::path file = folder / "run.json";
  if (fs::exists(file)) read_run(file);
  base::refuse_unclaimed(folder / "verdicts.jsonl", file);
  base::claim_run(file, identity, about, "verdicts");
}

std::optional<uint64_t> seed_of_run(const fs::path& folder) {
  const fs::path file = folder / "run.json";
  if (!fs::exists(file)) return std::nullopt;
  return read_run(file)["seed"].get<uint64_t>();
}

}  // namespace cuset::judge
