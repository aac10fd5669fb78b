#include "study/plan/job_record.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/files/remove_folder.h"
#include "base/json/json_cursor.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

// {"made_with": {...}, "done": true, "results": {"answers.jsonl": 1234}, "seconds": 1.5, ...}
std::optional<base::Json> read_record(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return std::nullopt;
  try {
    return base::read_json_file(file);
  } catch (const base::Error&) {
    return base::Json::object();  // damaged: as if made with something else
  }
}

bool has_leftovers(const StudyJob& job, const fs::path& output) {
  return std::any_of(job.leftovers.begin(), job.leftovers.end(), [&](const fs::path& path) {
    std::error_code failed;
    return fs::exists(output / path, failed);
  });
}

bool has_whole_results(const StudyJob& job, const fs::path& output, const base::Json& sizes) {
  return std::all_of(job.results.begin(), job.results.end(), [&](const fs::path& path) {
    std::error_code failed;
    const uintmax_t size = fs::file_size(output / path, failed);
    return !failed && base::json_member(sizes, path.filename().string()) == size;
  });
}

void write_record(const StudyJob& job, const fs::path& output, const JobCost& cost, bool is_done) {
  base::Json sizes = base::Json::object();
  if (is_done) {
    for (const fs::path& path : job.results) sizes[path.filename().string()] = fs::file_size(output / path);
  }
  base::write_json_file(output / job.record, {{"made_with", job.made_with},
                                              {"done", is_done},
                                              {"results", sizes},
                                              {"seconds", cost.seconds},
                                              {"side_by_side", cost.side_by_side},
                                              {"machine", cost.machine},
                                              {"finished", cost.finished}});
}

}  // namespace

JobState state_of(const StudyJob& job, const fs::path& output) {
  const std::optional<base::Json> record = read_record(output / job.record);
  if (!record) return has_leftovers(job, output) ? JobState::kStale : JobState::kOpen;
  if (base::json_member(*record, "made_with") != job.made_with) return JobState::kStale;
  if (base::json_member(*record, "done") != true) return JobState::kBegun;
  return has_whole_results(job, output, base::json_member(*record, "results")) ? JobState::kDone
                                                                               : JobState::kStale;
}

JobCost cost_of(const StudyJob& job, const fs::path& output) {
  const base::Json record = read_record(output / job.record).value_or(base::Json::object());
  const base::Json& seconds = base::json_member(record, "seconds");
  const base::Json& side_by_side = base::json_member(record, "side_by_side");
  return {.seconds = seconds.is_number() ? seconds.get<double>() : 0,
          .side_by_side = side_by_side.is_number_unsigned() ? side_by_side.get<size_t>() : 1,
          .machine = base::json_string(record, "machine"),
          .finished = base::json_string(record, "finished")};
}

void write_begun_record(const StudyJob& job, const fs::path& output, const JobCost& cost) {
  write_record(job, output, cost, false);
}

void write_done_record(const StudyJob& job, const fs::path& output, const JobCost& cost) {
  write_record(job, output, cost, true);
}

void remove_leftovers(const StudyJob& job, const fs::path& output) {
  std::vector<fs::path> paths = job.leftovers;
  paths.push_back(job.record);
  for (const fs::path& path : paths) {
    if (!base::remove_folder(output / path))
      throw base::Error("cannot remove {}, made by an earlier run of the study", (output / path).string())
          .with_remedy("remove it, or choose another --output");
  }
}

}  // namespace cuset::study
