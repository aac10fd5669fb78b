#include "benchmarks/kernelbench/kernelbench.h"
#include "base/json/json_cursor.h"

#include <algorithm>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

bool is_plain(const std::string& name) {
  return !name.empty() && name.size() <= 200 && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                  c == '-' || c == '.';
         });
}

// Problems are counted within their level; the number opens the name, too.
std::string number_of(const base::Json& row, const std::string& name) {
  const base::Json& id = base::json_member(row, "problem_id");
  if (id.is_number_integer()) return id.dump();
  const std::string digits = name.substr(0, std::min(name.find_first_not_of("0123456789"), name.size()));
  return digits.empty() ? name : digits;
}

// What KernelBench calls fp16 and bf16 is a choice of its evaluation: weights and floating-point inputs are converted.
std::string torch_type_of(const base::JsonCursor& precision) {
  const std::string name = precision.string_or("fp32");
  if (name == "fp32") return "";
  if (name == "fp16") return "float16";
  if (name != "bf16") precision.refuse_type("fp32, fp16 or bf16");
  return "bfloat16";
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

// KernelBench's repository: KernelBench/level1/23_Softmax.py. The level is the folder's.
int level_of(const fs::path& file) {
  const std::string folder = fs::absolute(file).parent_path().filename().string();
  const bool says_level =
      folder.size() == 6 && folder.starts_with("level") && folder[5] >= '1' && folder[5] <= '9';
  return says_level ? folder[5] - '0' : 1;
}

base::Json kernelbench_row(const fs::path& file, std::string code) {
  const std::string name = file.stem().string();
  base::Json row = {{"level", level_of(file)}, {"name", name}, {"code", std::move(code)}};
  const size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  if (digits > 0 && digits <= 6) row["problem_id"] = std::stoi(name.substr(0, digits));
  return row;
}

}  // namespace

tasks::Task task_of_kernelbench_row(const base::Json& record, const std::string& place) {
  const base::JsonCursor row =
      base::JsonCursor(record, place).with_remedy("rows of KernelBench have level, name and code");
  tasks::Task task;
  task.module = row.at("code").string();
  std::string name = row.at("name").string();
  if (name.ends_with(".py")) name.resize(name.size() - 3);
  if (!is_plain(name)) row.at("name").refuse_type("a plain name such as 19_ReLU");
  const int64_t level = row.at("level").with_remedy("1, 2, 3 or 4").integer();
  task.id = fmt::format("kernelbench/{}/{}", level, number_of(record, name));
  task.family = name;
  task.benchmark = "kernelbench";
  task.kind = tasks::AnswerKind::kModule;
  if (const std::string type = torch_type_of(row.get("precision")); !type.empty()) {
    task.id += "/" + type;
    task.module +=
        fmt::format("\nprecision = torch.{}  # of the weights and the floating-point inputs\n", type);
  }
  task.prompts = {{"1", prompt_of(task.module)}};
  task.time_limit = 300;  // of one process: kernels are compiled in it
  task.fault = fault_of(task.module);
  task.place = place;
  return task;
}

std::vector<tasks::Task> read_kernelbench_folder(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".py") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<tasks::Task> tasks;
  for (const fs::path& file : files) {
    std::string code = base::read_file(file);
    const bool is_problem =
        code.find("class Model") != std::string::npos && code.find("get_inputs") != std::string::npos;
    if (is_problem)
      tasks.push_back(task_of_kernelbench_row(kernelbench_row(file, std::move(code)), file.string()));
  }
  return tasks;
}

}  // namespace cuset::benchmarks
