#include "report/report.h"

#include "base/files/file.h"
#include "base/files/make_folder.h"
#include "base/json/html_page.h"
#include "base/json/json_cursor.h"
#include "report/packed_text.h"
#include "report/page_files.h"
#include "report/sources.h"
#include "report/task_table.h"
#include "report/training_curves.h"

namespace cuset::report {
namespace {

namespace fs = std::filesystem;

base::Json read_analysis(const fs::path& file) {
  base::Json analysis = base::read_json_file(file);
  const std::string name = file.string();
  const base::JsonCursor format = base::JsonCursor(analysis, name)
                                      .with_remedy("docs/analyze.md describes the fields of this file")
                                      .get("format");
  if (format.value() != "cuset-analysis/1") format.refuse_type("\"cuset-analysis/1\"");
  return analysis;
}

base::Json method_of(const MethodFiles& files) {
  base::Json method = {{"name", files.name}};
  if (!files.made.empty()) method["made"] = files.made;
  if (!files.summary.empty()) method["summary"] = base::read_json_file(files.summary);
  if (!files.metrics.empty()) method["training"] = read_training_curves(files.metrics);
  return method;
}

std::string render(const base::Json& data, const base::Json& details) {
  const std::string title = data["about"].value("title", "CuSeT report");
  return base::fill_page(kPageFiles.html, {{"title", base::html_escaped(title)},
                                           {"style", kPageFiles.style},
                                           {"data", base::json_for_script(data)},
                                           {"details", packed_text(base::to_json_line(details))},
                                           {"charts", kPageFiles.charts},
                                           {"script", kPageFiles.script}});
}

}  // namespace

fs::path write_report(const fs::path& folder, fs::path page) {
  const ReportSources sources = find_sources(folder);
  base::Json data = {{"about", sources.about}, {"methods", base::Json::array()}};
  for (const MethodFiles& files : sources.methods) data["methods"].push_back(method_of(files));
  TaskTable tasks = read_task_table(sources);
  data["verdicts"] = std::move(tasks.overview);
  data["differences"] = std::move(tasks.differences);
  if (!sources.analysis.empty()) data["analysis"] = read_analysis(sources.analysis);
  if (page.empty()) page = folder / "report.html";
  if (page.has_parent_path()) base::make_folder(page.parent_path());
  base::write_file_atomic(page, render(data, tasks.details));
  return page;
}

}  // namespace cuset::report
