#include "report/sources.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"

namespace cuset {
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

std::string text_at(const Json& object, const char* key, const fs::path& file) {
  const auto value = object.find(key);
  if (value == object.end() || value->is_null()) return "";
  if (!value->is_string()) throw Error("{}: \"{}\" is not a text", file.string(), key);
  return value->get<std::string>();
}

// The file that report.json names, relative to it; empty where it names none or there is none.
fs::path named_file(const Json& object, const char* key, const fs::path& file) {
  const std::string name = text_at(object, key, file);
  if (name.empty()) return {};
  fs::path path = file.parent_path() / name;
  std::error_code failed;
  if (fs::is_regular_file(path, failed)) return path;
  log_warning("{}: \"{}\" is not there and left out: {}", file.string(), key, path.string());
  return {};
}

MethodFiles named_method(const Json& object, size_t index, const fs::path& file) {
  if (!object.is_object()) throw Error("{}: methods[{}] is not an object", file.string(), index);
  MethodFiles method;
  method.name = text_at(object, "name", file);
  if (method.name.empty()) throw Error("{}: methods[{}] has no \"name\"", file.string(), index);
  for (const MethodFile& part : kMethodFiles) method.*part.path = named_file(object, part.key, file);
  return method;
}

Json about_of(const Json& report, const fs::path& file) {
  Json about = Json::object();
  for (const char* key : {"title", "subtitle", "created", "machine", "command"}) {
    if (const std::string text = text_at(report, key, file); !text.empty()) about[key] = text;
  }
  if (report.contains("seconds") && report["seconds"].is_number()) about["seconds"] = report["seconds"];
  about["notes"] = Json::array();
  for (const Json& note : report.value("notes", Json::array())) {
    if (!note.is_string()) throw Error("{}: \"notes\" holds something that is not a text", file.string());
    about["notes"].push_back(note);
  }
  return about;
}

ReportSources sources_of_report(const fs::path& file) {
  const Json report = read_json_file(file);
  if (!report.is_object() || text_at(report, "format", file) != kFormat) {
    throw Error("{}: \"format\" is not \"{}\"", file.string(), kFormat)
        .with_remedy("docs/report.md has the form of this file");
  }
  ReportSources sources;
  sources.about = about_of(report, file);
  sources.analysis = named_file(report, "analysis", file);
  sources.tasks = named_file(report, "tasks", file);
  const Json methods = report.value("methods", Json::array());
  if (!methods.is_array()) throw Error("{}: \"methods\" is not a list", file.string());
  for (size_t i = 0; i < methods.size(); ++i) sources.methods.push_back(named_method(methods[i], i, file));
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
  const Json run = read_json_file(file);
  const auto command = run.find("command");
  if (command != run.end() && command->is_string() && !sources.about.contains("command")) {
    sources.about["command"] = "cuset " + command->get<std::string>();
  }
  const auto tasks = run.find("tasks");
  if (tasks == run.end() || !tasks->is_string() || !sources.tasks.empty()) return;
  const fs::path path = tasks->get<std::string>();
  if (fs::is_regular_file(path)) sources.tasks = path;
}

ReportSources sources_of_run(const fs::path& folder) {
  ReportSources sources;
  const std::string name = fs::weakly_canonical(folder).filename().string();
  sources.about = {{"title", name}, {"notes", Json::array()}};
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
    throw Error("{} is not a folder", folder.string()).with_remedy("give the folder of a run");
  }
  const fs::path file = folder / "report.json";
  ReportSources sources = fs::is_regular_file(file) ? sources_of_report(file) : sources_of_run(folder);
  if (sources.analysis.empty() && sources.methods.empty()) {
    throw Error("{}: nothing to report on", folder.string())
        .with_remedy(
            "give a folder with report.json, analysis.json, or the results of cuset train, verify or "
            "evaluate");
  }
  return sources;
}

}  // namespace cuset
