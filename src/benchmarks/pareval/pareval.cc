// ParEval (docs/benchmarks.md): a checkout with prompts/generation-prompts.json (a list of problem_type,
// language, name, parallelism_model, prompt) and, for each problem,
// drivers/cpp/benchmarks/<type>/<name>/{gpu.cu,baseline.hpp} beside drivers/cpp/utilities.hpp. The driver
// includes the prompt and the generated text, as generated-code.cuh, and defines init(), validate() and
// destroy(). ParEval's own main prints what validate() says; ours returns it, after seeding the random
// numbers that the driver fills its inputs with.
#include "benchmarks/pareval/pareval.h"
#include "base/json/json_cursor.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files/file.h"
#include "execute/build/companion_sources.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrompts = "generation-prompts.json";
constexpr const char* kAnswerFile = "generated-code.cuh";
constexpr uint64_t kLargestDriver = 4 << 20;

// The driver fills vectors by rand(); validate() draws its inputs anew.
constexpr const char* kMain = R"CUDA(
#include <cstdlib>

struct Context;
Context* init();
bool validate(Context* context);
void destroy(Context* context);

int main(int count, char** arguments) {
  if (count > 1) std::srand(static_cast<unsigned>(std::atoi(arguments[1])));
  Context* const context = init();
  const bool valid = validate(context);
  destroy(context);
  return valid ? 0 : 1;
}
)CUDA";

struct Checkout {
  fs::path prompts;
  fs::path drivers;  // drivers/cpp
};

// `path` is the checkout, its prompts folder, or the prompts file.
Checkout find_checkout(const fs::path& path) {
  for (const fs::path& file : {path, path / kPrompts, path / "prompts" / kPrompts}) {
    if (!fs::is_regular_file(file)) continue;
    const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
    for (const fs::path& root : {folder, folder.parent_path()}) {
      if (fs::is_directory(root / "drivers/cpp/benchmarks")) return {file, root / "drivers/cpp"};
    }
    throw base::Error("{}: there is no drivers/cpp/benchmarks beside it", file.string())
        .with_remedy("name a whole checkout of ParEval");
  }
  throw base::Error("{}: there is no prompts/{} in it", path.string(), kPrompts)
      .with_remedy("name a checkout of ParEval");
}

const std::string& folder_name(const base::JsonCursor& field) {
  const std::string& name = field.string();
  if (!execute::is_path_below(name) || name.find('/') != name.npos) field.refuse_type("the name of a folder");
  return name;
}

// The text of a driver's file; empty where there is none.
std::string driver_file(const fs::path& file) {
  std::error_code failed;
  const uint64_t size = fs::file_size(file, failed);
  if (failed || !fs::is_regular_file(file)) return "";
  if (size > kLargestDriver)
    throw base::Error("{} has {} bytes", file.string(), size).with_remedy("this is not a ParEval driver");
  return base::read_file(file);
}

std::string read_driver(const Checkout& checkout, const std::string& type, const std::string& name,
                        tasks::TestBuild& tests) {
  const fs::path folder = checkout.drivers / "benchmarks" / type / name;
  tests.files = {{"driver.cu", driver_file(folder / "gpu.cu")},
                 {"baseline.hpp", driver_file(folder / "baseline.hpp")},
                 {"utilities.hpp", driver_file(checkout.drivers / "utilities.hpp")},
                 {"main.cu", kMain}};
  for (const auto& [path, text] : tests.files) {
    if (text.empty())
      return fmt::format("the checkout has no {} for it", path == "driver.cu" ? "gpu.cu" : path);
  }
  tests.answer_file = kAnswerFile;
  tests.sources = {"driver.cu", "main.cu"};
  tests.include_folders = {"."};
  tests.defines = {"USE_CUDA", "DRIVER_PROBLEM_SIZE=(1<<10)"};
  tests.arguments = {"{seed}"};
  return "";
}

tasks::Task task_of_prompt(const Checkout& checkout, const base::JsonCursor& row, const std::string& place) {
  tasks::Task task;
  const std::string& type = folder_name(row.at("problem_type"));
  const std::string& name = folder_name(row.at("name"));
  task.id = name;
  task.family = name;
  task.benchmark = "pareval";
  task.kind = tasks::AnswerKind::kTests;
  task.place = place;
  task.time_limit = 120;
  task.prompts = {{"1", row.at("prompt").string()}};
  task.fault = read_driver(checkout, type, name, task.tests);
  return task;
}

}  // namespace

std::vector<tasks::Task> read_pareval(const fs::path& path) {
  const Checkout checkout = find_checkout(path);
  const base::Json rows = base::read_json_file(checkout.prompts);
  const std::string file = checkout.prompts.string();
  const base::JsonCursor list =
      base::JsonCursor(rows, file)
          .with_remedy("prompts have problem_type, name, parallelism_model and prompt");
  std::vector<tasks::Task> tasks;
  std::set<std::string> ids;
  const std::vector<base::JsonCursor> prompts = list.elements();
  for (size_t i = 0; i < prompts.size(); ++i) {
    const base::JsonCursor& row = prompts[i];
    const std::string place = fmt::format("{}[{}]", file, i);
    if (row.at("parallelism_model").string() != "cuda") continue;
    tasks.push_back(task_of_prompt(checkout, row, place));
    if (!ids.insert(tasks.back().id).second)
      throw base::Error("{}: {} appears twice", place, base::in_quotes(tasks.back().id))
          .with_remedy("keep one of the two");
  }
  if (tasks.empty()) throw base::Error("{}: no prompt asks for CUDA", file).with_remedy("name another file");
  return tasks;
}

}  // namespace cuset::benchmarks
