#include "report/sources.h"

#include <algorithm>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "base/last_part.h"
#include "base/log.h"
#include "report/run_description.h"

namespace cuset::report {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "cuset-report/1";
// A file of a method: its key in report.json, its name in the folder of a run.
struct MethodFile {
  const char* key;
  const char* usual_name;
  fs::path MethodFiles::* path;
};

constexpr MethodFile kMethodFiles[] = {{"metrics", "metrics.jsonl", &MethodFiles::metrics},
                                       {"answers", "answers.jsonl", &MethodFiles::answers},
                                       {"verdicts", "verdicts.jsonl", &MethodFiles::verdicts},
                                       {"summary", "summary.json", &MethodFiles::summary}};

// The file that report.json names, relative to it; empty where it names none or there is none.
fs::path named_file(const base::JsonCursor& field) {
  const std::string name = field.string_or("");
  if (name.empty()) return {};
  fs::path path = fs::path(field.source()).parent_path() / name;
  std::error_code failed;
  if (fs::is_regular_file(path, failed)) return path;
  base::log_warning("{} names {}, which is not there and left out", field.place(), path.string());
  return {};
}

MethodFiles named_method(const base::JsonCursor& object) {
  MethodFiles method;
  method.name = object.at("name").nonempty_string();
  for (const MethodFile& part : kMethodFiles) method.*part.path = named_file(object.get(part.key));
  if (!method.metrics.empty()) method.made = read_run_description(method.metrics.parent_path()).about;
  return method;
}

base::Json about_of(const base::JsonCursor& report) {
  base::Json about = base::Json::object();
  for (const char* key : {"title", "subtitle", "created", "machine", "command"}) {
    if (const std::string text = report.get(key).string_or(""); !text.empty()) about[key] = text;
  }
  const base::Json& seconds = report.get("seconds").value();
  if (seconds.is_number()) about["seconds"] = seconds;
  about["notes"] = report.get("notes").strings_or_none();
  return about;
}

ReportSources sources_of_report(const fs::path& file) {
  const base::Json json = base::read_json_file(file);
  const std::string name = file.string();
  const base::JsonCursor report =
      base::JsonCursor(json, name).with_remedy("docs/report.md describes the fields of this file");
  if (report.get("format").value() != kFormat) {
    report.get("format").refuse_type(fmt::format("\"{}\"", kFormat));
  }
  ReportSources sources;
  sources.about = about_of(report);
  sources.analysis = named_file(report.get("analysis"));
  sources.tasks = named_file(report.get("tasks"));
  for (const base::JsonCursor& method : report.get("methods").elements_or_none()) {
    sources.methods.push_back(named_method(method));
  }
  return sources;
}

// What a run left in `folder`, if anything.
void add_run(const fs::path& folder, const std::string& name, ReportSources& sources) {
  MethodFiles method;
  method.name = name;
  bool has_any = false;
  for (const MethodFile& part : kMethodFiles) {
    const fs::path path = folder / part.usual_name;
    if (!fs::is_regular_file(path)) continue;
    method.*part.path = path;
    has_any = true;
  }
  if (has_any) sources.methods.push_back(std::move(method));
}

// What the run in `folder` tells of itself; `method` is what it left there, or null.
RunDescription read_run(const fs::path& folder, MethodFiles* method, ReportSources& sources) {
  RunDescription record = read_run_description(folder);
  for (const char* key : {"command", "created", "machine"}) {
    if (record.about.contains(key) && !sources.about.contains(key)) sources.about[key] = record.about[key];
  }
  if (sources.tasks.empty()) sources.tasks = record.tasks;
  if (method == nullptr) return record;
  method->made = record.about;
  if (method->answers.empty() && !method->verdicts.empty()) method->answers = record.answers;
  return record;
}

// Place of a folder of answers among those of one command: the model without an adapter, then adapters as given.
size_t place_of(std::string name, const std::vector<std::string>& adapters) {
  name = name.substr(0, name.rfind("-level"));
  name.resize(name.find_last_not_of('_') + 1);  // adapters of the same name are told apart by these
  if (name == "base") return 0;
  for (size_t i = 0; i < adapters.size(); ++i) {
    if (name == base::last_part(adapters[i])) return i + 1;
  }
  return adapters.size() + 1;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> inner;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) inner.push_back(entry.path());
  }
  std::sort(inner.begin(), inner.end());
  return inner;
}

ReportSources sources_of_run(const fs::path& folder) {
  ReportSources sources;
  const std::string name = fs::weakly_canonical(folder).filename().string();
  sources.about = {{"title", name}, {"notes", base::Json::array()}};
  if (fs::is_regular_file(folder / "analysis.json")) sources.analysis = folder / "analysis.json";
  std::vector<std::string> adapters;
  const auto add = [&](const fs::path& path, const std::string& method) {
    const size_t before = sources.methods.size();
    add_run(path, method, sources);
    const RunDescription record =
        read_run(path, sources.methods.size() > before ? &sources.methods.back() : nullptr, sources);
    if (adapters.empty()) adapters = record.adapters;
  };
  add(folder, name);
  const auto own = static_cast<std::ptrdiff_t>(sources.methods.size());
  for (const fs::path& path : folders_in(folder)) add(path, path.filename().string());
  std::stable_sort(sources.methods.begin() + own, sources.methods.end(),
                   [&](const MethodFiles& one, const MethodFiles& other) {
                     return place_of(one.name, adapters) < place_of(other.name, adapters);
                   });
  return sources;
}

}  // namespace

ReportSources find_sources(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw base::Error("{} is not a folder", folder.string()).with_remedy("give the folder of a run");
  }
  const fs::path file = folder / "report.json";
  ReportSources sources = fs::is_regular_file(file) ? sources_of_report(file) : sources_of_run(folder);
  if (sources.analysis.empty() && sources.methods.empty()) {
    throw base::Error("{}: nothing to report on", folder.string())
        .with_remedy(
            "give a folder with report.json, analysis.json, or the results of cuset train, verify or "
            "evaluate");
  }
  return sources;
}

}  // namespace cuset::report
