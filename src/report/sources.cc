#include "report/sources.h"

#include <algorithm>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "base/log.h"

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

// What run.json tells: the command, and its tasks relative to where it was started, so perhaps no longer
// there.
void read_run(const fs::path& folder, ReportSources& sources) {
  const fs::path file = folder / "run.json";
  if (!fs::is_regular_file(file)) return;
  const base::Json run = base::read_json_file(file);
  const base::Json& command = base::json_member(run, "command");
  if (command.is_string() && !sources.about.contains("command")) {
    sources.about["command"] = "cuset " + command.get<std::string>();
  }
  const fs::path tasks = base::json_string(run, "tasks");
  if (sources.tasks.empty() && fs::is_regular_file(tasks)) sources.tasks = tasks;
}

ReportSources sources_of_run(const fs::path& folder) {
  ReportSources sources;
  const std::string name = fs::weakly_canonical(folder).filename().string();
  sources.about = {{"title", name}, {"notes", base::Json::array()}};
  if (fs::is_regular_file(folder / "analysis.json")) sources.analysis = folder / "analysis.json";
  add_run(folder, name, sources);
  read_run(folder, sources);
  std::vector<fs::path> inner;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) inner.push_back(entry.path());
  }
  std::sort(inner.begin(), inner.end());
  for (const fs::path& path : inner) {
    add_run(path, path.filename().string(), sources);
    read_run(path, sources);
  }
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
