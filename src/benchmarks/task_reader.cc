#include "benchmarks/task_reader.h"

#include <algorithm>
#include <fstream>
#include <unordered_map>

#include "base/error.h"
#include "base/json/jsonl.h"
#include "benchmarks/compute_eval/compute_eval.h"
#include "benchmarks/cudabench/cudabench.h"
#include "benchmarks/kernelbench/kernelbench.h"
#include "benchmarks/pareval/pareval.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

using RowReader = tasks::Task (*)(const base::Json& row, const std::string& place);

bool has_keys(const base::Json& row, std::initializer_list<const char*> keys) {
  return std::all_of(keys.begin(), keys.end(), [&](const char* key) { return row.contains(key); });
}

base::Error unknown_kind(const std::string& place) {
  return base::Error("{}: tasks of no known kind", place)
      .with_remedy(
          "docs/tasks.md has our own form; CUDABench, KernelBench, ParEval and compute-eval are read too");
}

// What the first row of a JSONL file shows.
std::string benchmark_of(const base::Json& row, const std::string& place) {
  if (!row.is_object()) throw unknown_kind(place);
  if (has_keys(row, {"bench.cu", "gen.py"})) return "cudabench";
  if (has_keys(row, {"task_id", "test_command"})) return "compute-eval";
  if (has_keys(row, {"name", "parallelism_model"})) return "pareval";
  if (has_keys(row, {"level", "name", "code"})) return "kernelbench";
  if (has_keys(row, {"task", "text"}) || has_keys(row, {"id", "code1"})) {
    throw base::Error("{}: these are answers, not tasks", place).with_remedy("swap --tasks and --answers");
  }
  if (has_keys(row, {"id"})) return "cuset";
  throw unknown_kind(place);
}

RowReader reader_of(const std::string& benchmark) {
  if (benchmark == "cudabench") return task_of_cudabench_row;
  if (benchmark == "kernelbench") return task_of_kernelbench_row;
  return tasks::task_from_json;
}

TaskFile read_rows(const fs::path& path) {
  base::JsonlReader reader(path);
  TaskFile file;
  RowReader read = nullptr;
  while (const std::optional<base::Json> row = reader.next()) {
    if (read == nullptr) {
      file.benchmark = benchmark_of(*row, reader.place());
      if (file.benchmark == "compute-eval") return {file.benchmark, read_compute_eval(path)};
      if (file.benchmark == "pareval") return {file.benchmark, read_pareval(path)};
      read = reader_of(file.benchmark);
    }
    file.tasks.push_back(read(*row, reader.place()));
  }
  return file;
}

TaskFile read_folder(const fs::path& folder) {
  if (fs::is_directory(folder / "drivers") && fs::is_directory(folder / "prompts")) {
    return {"pareval", read_pareval(folder)};
  }
  if (fs::exists(folder / "problems.jsonl"))
    return {"compute-eval", read_compute_eval(folder / "problems.jsonl")};
  TaskFile file{"kernelbench", read_kernelbench_folder(folder)};
  if (file.tasks.empty()) throw unknown_kind(folder.string());
  return file;
}

// The first bytes, enough to tell an archive and a JSON list from JSONL; nothing of what is not a plain file,
// which can be read but once.
std::string opening_of(const fs::path& path) {
  if (!fs::is_regular_file(path)) return "";
  std::ifstream file(path, std::ios::binary);
  std::string bytes(64, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

void require_unique_ids(const std::vector<tasks::Task>& tasks) {
  std::unordered_map<std::string, const tasks::Task*> seen;
  for (const tasks::Task& task : tasks) {
    const auto [first, is_new] = seen.emplace(task.id, &task);
    if (is_new) continue;
    throw base::Error("{}: a second task with the id {}; the first is at {}", task.place,
                      base::in_quotes(task.id), first->second->place)
        .with_remedy("give every task its own id");
  }
}

TaskFile read_any(const fs::path& path) {
  if (fs::is_directory(path)) return read_folder(path);
  const std::string opening = opening_of(path);
  if (opening.starts_with("\x1f\x8b")) return {"compute-eval", read_compute_eval(path)};
  const size_t begin = opening.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin != std::string::npos && opening[begin] == '[') return {"pareval", read_pareval(path)};
  return read_rows(path);
}

}  // namespace

TaskFile read_tasks(const fs::path& path) {
  TaskFile file = read_any(path);
  if (file.tasks.empty())
    throw base::Error("{}: no tasks in it", path.string()).with_remedy("docs/tasks.md has the form");
  require_unique_ids(file.tasks);
  return file;
}

}  // namespace cuset::benchmarks
