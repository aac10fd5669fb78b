// Files that a report is drawn from, whatever they hold: an Error or data for the page. The first byte
// chooses the file.
#include <array>
#include <fstream>

#include "base/error.h"
#include "base/files/temporary_folder.h"
#include "report/sources.h"
#include "report/task_table.h"
#include "report/training_curves.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const cuset::base::TemporaryFolder folder;
  constexpr std::array kNames = {"report.json", "metrics.jsonl", "answers.jsonl", "verdicts.jsonl",
                                 "tasks.jsonl"};
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const std::filesystem::path file = folder / kNames[bytes[0] % kNames.size()];
  std::ofstream(file, std::ios::binary) << text;
  try {
    cuset::report::ReportSources sources = cuset::report::find_sources(folder.path());
    if (file.filename() == "tasks.jsonl") sources.tasks = file;
    for (const cuset::report::MethodFiles& method : sources.methods) {
      if (!method.metrics.empty())
        cuset::base::to_json_line(cuset::report::read_training_curves(method.metrics));
    }
    const cuset::report::TaskTable table = cuset::report::read_task_table(sources);
    cuset::base::to_json_line(table.overview);
    cuset::base::to_json_line(table.details);
  } catch (const cuset::base::Error&) {
  }
  std::filesystem::remove(file);
  return 0;
}
