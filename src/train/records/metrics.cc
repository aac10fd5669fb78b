#include "train/records/metrics.h"

#include <cmath>
#include <utility>

#include "base/files/make_folder.h"
#include "base/human_readable.h"
#include "base/log.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

bool is_behind(const base::Json& row, int64_t step) {
  const auto found = row.is_object() ? row.find("step") : row.end();
  return row.is_object() && found != row.end() && found->is_number() &&
         found->get<double>() > static_cast<double>(step);
}

// Takes the lock of a living writer before anything is replaced, so that two runs cannot share a folder.
fs::path prepared_rows(const fs::path& run_folder, const MetricsOptions& options) {
  base::make_folder(run_folder);
  const fs::path path = run_folder / "metrics.jsonl";
  if (!options.resume) return path;
  {
    const base::JsonlWriter nobody_else(path);
  }
  remove_rows_behind(path, options.resume->step);
  return path;
}

std::string number_text(std::string_view name, double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (name.ends_with("_per_second")) return base::human_count(value);
  if (name.ends_with("_bytes")) return base::human_bytes(static_cast<uint64_t>(std::max(0.0, value)));
  if (name.ends_with("runtime") || name.ends_with("_seconds")) return base::human_duration(value);
  if (name == "learning_rate") return fmt::format("{:.3g}", value);
  return fmt::format("{:.4g}", value);
}

base::Json numbers_of(const base::Json& values) {
  base::Json numbers = base::Json::object();
  for (const auto& [name, value] : values.items()) {
    if (value.is_number()) numbers[name] = value;
  }
  return numbers;
}

base::Json shown_of(const base::Json& values, const std::vector<std::string>& names) {
  if (names.empty()) return values;
  base::Json shown = base::Json::object();
  for (const std::string& name : names) {
    if (values.contains(name)) shown[name] = values[name];
  }
  return shown;
}

std::vector<Scalar> scalars_of(double epoch, const base::Json& numbers) {
  std::vector<Scalar> scalars = {{"train/epoch", epoch}};
  for (const auto& [name, value] : numbers.items())
    scalars.push_back({tensorboard_tag(name), value.get<double>()});
  return scalars;
}

}  // namespace

// Leaves the file alone where nothing is to be removed.
void remove_rows_behind(const fs::path& path, int64_t step) {
  if (!fs::exists(path)) return;
  base::JsonlReader reader(path, {.torn_line = base::TornLine::kIgnore});
  std::string kept;
  size_t removed = 0;
  while (const std::optional<base::Json> row = reader.next()) {
    if (is_behind(*row, step)) {
      ++removed;
    } else {
      kept += base::to_json_line(*row) + "\n";
    }
  }
  if (removed == 0) return;
  base::write_file_atomic(path, kept);
  base::log_info("{}: removed {} rows after step {}, where the run resumes", path.string(), removed, step);
}

MetricsLog::MetricsLog(const fs::path& run_folder, const MetricsOptions& options)
    : steps_(options.steps),
      shown_(options.shown),
      rows_(prepared_rows(run_folder, options)),
      history_(base::Json::array()) {
  if (options.resume && options.resume->history.is_array()) {
    for (const base::Json& row : options.resume->history) {
      if (!is_behind(row, options.resume->step)) history_.push_back(row);
    }
  }
  const bool resumes = options.resume && options.resume->step > 0;
  for (const std::string& service : options.trackers) {
    trackers_.push_back(
        std::make_unique<Tracker>(service, TrackedRun{.folder = run_folder, .resumes = resumes}));
  }
  if (!options.tensorboard) return;
  std::optional<int64_t> forget_from;
  if (options.resume) forget_from = options.resume->step + 1;
  tensorboard_.emplace(run_folder / "runs", forget_from);
}

void MetricsLog::record(int64_t step, double epoch, const base::Json& values) {
  CUSET_CHECK(values.is_object(), "metrics are an object, not {}", values.type_name());
  base::Json row = {{"step", step}, {"epoch", epoch}};
  row.update(values);
  rows_.append(row);

  const base::Json numbers = numbers_of(values);
  base::Json entry = numbers;
  entry["epoch"] = epoch;
  entry["step"] = step;
  history_.push_back(std::move(entry));

  const std::vector<Scalar> scalars = scalars_of(epoch, numbers);
  if (tensorboard_) {
    tensorboard_->add(step, scalars);
    tensorboard_->flush();
  }
  for (const std::unique_ptr<Tracker>& tracker : trackers_) tracker->record(step, scalars);
  base::write_log(base::LogLevel::kInfo, terminal_line(step, steps_, epoch, shown_of(values, shown_)));
}

void MetricsLog::flush() {
  rows_.flush();
  if (tensorboard_) tensorboard_->flush();
}

std::string tensorboard_tag(std::string_view name) {
  for (const std::string_view kind : {"eval", "test"}) {
    if (name.starts_with(kind) && name.substr(kind.size()).starts_with('_')) {
      return fmt::format("{}/{}", kind, name.substr(kind.size() + 1));
    }
  }
  return fmt::format("train/{}", name);
}

std::string terminal_line(int64_t step, int64_t steps, double epoch, const base::Json& values) {
  std::string line = steps > 0 ? fmt::format("step {}/{}", step, steps) : fmt::format("step {}", step);
  line += fmt::format("  epoch {:.2f}", epoch);
  for (const auto& [name, value] : values.items()) {
    if (value.is_number()) line += fmt::format("  {} {}", name, number_text(name, value.get<double>()));
  }
  return line;
}

}  // namespace cuset::train
