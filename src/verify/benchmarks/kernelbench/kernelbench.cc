// KernelBench (docs/benchmarks.md): rows of level, name and the Python code of one problem.
#include <algorithm>

#include "base/error.h"
#include "verify/benchmarks/task_reader.h"

namespace cuset {
namespace {

std::string row_text(const Json& row, const char* key, const std::string& place) {
  if (row.is_object() && row.contains(key) && row[key].is_string()) return row[key].get<std::string>();
  throw Error("{}: `{}` is no text", place, key).with_remedy("rows of KernelBench have level, name and code");
}

bool is_plain(const std::string& name) {
  return !name.empty() && name.size() <= 200 && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                  c == '-' || c == '.';
         });
}

// Problems are counted within their level; the number opens the name, too.
std::string number_of(const Json& row, const std::string& name) {
  if (row.contains("problem_id") && row["problem_id"].is_number_integer()) return row["problem_id"].dump();
  const std::string digits = name.substr(0, std::min(name.find_first_not_of("0123456789"), name.size()));
  return digits.empty() ? name : digits;
}

std::string prompt_of(const std::string& code) {
  return "Rewrite this PyTorch module with CUDA kernels of your own. Answer with one Python file that "
         "defines the class "
         "`ModelNew` with the same constructor and `forward`, and builds its kernels with "
         "`torch.utils.cpp_extension.load_inline`.\n\n```python\n" +
         code + (code.ends_with('\n') ? "" : "\n") + "```\n";
}

std::string fault_of(const std::string& code) {
  for (const char* part : {"class Model(", "def get_inputs(", "def get_init_inputs("}) {
    if (code.find(part) == std::string::npos) return fmt::format("its code has no `{}`", part);
  }
  return "";
}

}  // namespace

Task task_of_kernelbench_row(const Json& row, const std::string& place) {
  Task task;
  task.module = row_text(row, "code", place);
  std::string name = row_text(row, "name", place);
  if (name.ends_with(".py")) name.resize(name.size() - 3);
  if (!is_plain(name)) throw Error("{}: `name` is {}", place, in_quotes(name)).with_remedy("such as 19_ReLU");
  const bool has_level = row.contains("level") && row["level"].is_number_integer();
  if (!has_level) throw Error("{}: `level` is no whole number", place).with_remedy("1, 2, 3 or 4");
  task.id = fmt::format("kernelbench/{}/{}", row["level"].get<int64_t>(), number_of(row, name));
  task.family = name;
  task.benchmark = "kernelbench";
  task.kind = AnswerKind::kModule;
  task.prompts = {{"1", prompt_of(task.module)}};
  task.time_limit = 300;  // of one process: kernels are compiled in it
  task.fault = fault_of(task.module);
  task.place = place;
  return task;
}

}  // namespace cuset
