#include "train/run_folder.h"

#include <set>

#include "base/error.h"
#include "base/files/crc32c.h"
#include "base/files/file.h"
#include "base/files/make_folder.h"
#include "base/files/remove_folder.h"
#include "base/json/jsonl.h"
#include "base/log.h"
#include "train/records/checkpoint_folder.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnpublished = "model.tmp";
constexpr const char* kMetrics = "metrics.jsonl";

bool holds_run(const fs::path& folder) {
  return fs::exists(folder / "run.json") || fs::exists(folder / kMetrics) || !checkpoints_of(folder).empty();
}

bool is_of_a_run(const std::string& name) {
  static const std::set<std::string> kNames = {"run.json",
                                               kMetrics,
                                               "runs",
                                               "adapter_config.json",
                                               "adapter_model.safetensors",
                                               kUnpublished,
                                               "rollouts.jsonl",
                                               "unsaved_rollouts.jsonl"};
  return kNames.contains(name) || name.starts_with("checkpoint-");
}

// Throws where a living run appends to the folder: two runs would mix their files.
void refuse_living_run(const fs::path& folder) {
  if (fs::exists(folder / kMetrics)) const base::JsonlWriter nobody_else(folder / kMetrics);
}

void remove_run(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_of_a_run(entry.path().filename().string())) found.push_back(entry.path());
  }
  for (const fs::path& path : found) {
    std::error_code failed;
    const bool gone = fs::is_directory(path) ? base::remove_folder(path) : fs::remove(path, failed);
    if (!gone) throw base::Error("cannot remove {}, part of an earlier run", path.string());
  }
}

}  // namespace

void prepare_run_folder(const RunFolderChoice& choice) {
  if (choice.path.empty()) throw base::UsageError("--output is missing: the folder of the run");
  base::make_folder(choice.path);
  if (choice.resume || !choice.resume_from.empty() || !holds_run(choice.path)) return;
  if (!choice.overwrite) {
    throw base::UsageError("{} holds a run already", choice.path.string())
        .with_remedy("--resume resumes it, --overwrite-output-dir removes it, or choose another --output");
  }
  refuse_living_run(choice.path);
  base::log_info("{}: the run that was there is removed", choice.path.string());
  remove_run(choice.path);
}

std::optional<fs::path> checkpoint_to_resume(const RunFolderChoice& choice) {
  if (!choice.resume_from.empty()) return choice.resume_from;
  if (!choice.resume) return std::nullopt;
  if (const auto latest = latest_checkpoint(choice.path)) return latest->path;
  base::log_info("{} has no checkpoint yet: the run begins with its first step", choice.path.string());
  return std::nullopt;
}

void publish_model(const fs::path& run_folder, const std::function<void(const fs::path&)>& write) {
  const fs::path temporary = run_folder / kUnpublished;
  base::remove_folder(temporary);
  std::error_code failed;
  if (!fs::create_directory(temporary, failed)) throw base::file_error("make", temporary, failed.value());
  write(temporary);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(temporary)) files.push_back(entry.path());
  for (const fs::path& file : files) {
    fs::rename(file, run_folder / file.filename(), failed);
    if (failed) throw base::file_error("put in place", run_folder / file.filename(), failed.value());
    base::sync_folder_of(run_folder / file.filename());
  }
  base::remove_folder(temporary);
}

base::Json describe_files(const std::vector<data::DataSource>& files) {
  base::Json described = base::Json::array();
  for (const data::DataSource& source : files) {
    const base::MappedFile content(source.file);
    described.push_back({{"path", fs::absolute(source.file).string()},
                         {"bytes", content.bytes().size()},
                         {"crc32c", fmt::format("{:08x}", base::crc32c(content.bytes()))}});
  }
  return described;
}

}  // namespace cuset::train
