// NVIDIA compute-eval (docs/benchmarks.md): a tar.gz with problems.jsonl, or that file itself. A problem has
// a prompt, context files that the answer's author sees, test files that they do not, and the commands that
// build and run the tests. The benchmark's own licence allows evaluation only; nothing of it is kept here.
#include "verify/benchmarks/compute_eval/compute_eval.h"

#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/lines.h"
#include "cuda_source/regions.h"
#include "verify/benchmarks/compute_eval/archive.h"
#include "verify/benchmarks/compute_eval/compute_eval_command.h"
#include "verify/execute/build/companion_sources.h"

namespace cuset {
namespace {

constexpr const char* kProblems = "problems.jsonl";
constexpr double kDefaultSeconds = 60;
constexpr double kMostSeconds = 3600;

// One row, with the place for messages.
class Problem {
 public:
  Problem(const Json& row, const std::string& place) : row_(row), place_(place) {
    if (!row.is_object()) throw wrong("the line is no JSON object");
  }

  const Json* find(const char* key) const {
    const auto found = row_.find(key);
    return found == row_.end() || found->is_null() ? nullptr : &*found;
  }

  std::string text(const char* key, bool required) const {
    const Json* value = find(key);
    if (value == nullptr && !required) return "";
    if (value == nullptr || !value->is_string()) throw wrong(fmt::format("`{}` is no text", key));
    return value->get<std::string>();
  }

  // "context_files", "test_files": [{"path", "content"}].
  std::map<std::string, std::string> files(const char* key) const {
    const Json* list = find(key);
    return list == nullptr ? std::map<std::string, std::string>() : files_of(*list, key);
  }

  std::map<std::string, std::string> files_of(const Json& list, const char* key) const {
    std::map<std::string, std::string> files;
    if (!list.is_array()) throw wrong(fmt::format("`{}` is no list", key));
    for (const Json& file : list) {
      if (!file.is_object() || !file.contains("path") || !file["path"].is_string() ||
          !file.contains("content") || !file["content"].is_string())
        throw wrong(fmt::format("`{}` holds something else than files with path and content", key));
      const std::string path = plain_path(file["path"].get<std::string>());
      if (!is_path_below(path)) throw wrong(fmt::format("`{}` names {}", key, in_quotes(path)));
      files[path] = file["content"].get<std::string>();
    }
    return files;
  }

  double seconds() const {
    const Json* value = find("timeout_seconds");
    if (value == nullptr) return kDefaultSeconds;
    const double limit = value->is_number() ? value->get<double>() : 0;
    if (!(limit > 0 && limit <= kMostSeconds)) throw wrong("`timeout_seconds` is no time up to an hour");
    return limit;
  }

  Error wrong(const std::string& reason) const {
    return Error("{}: {}", place_, reason)
        .with_remedy(
            "rows of compute-eval have task_id, prompt, context_files, test_files, "
            "build_command and test_command (docs/benchmarks.md)");
  }

  const std::string& place() const { return place_; }

  static std::string plain_path(std::string path) {
    while (path.starts_with("./")) path.erase(0, 2);
    return path;
  }

 private:
  const Json& row_;
  const std::string& place_;
};

bool is_pattern(const std::string& source) { return source.find('*') != source.npos; }

// fnmatch() takes time exponential in the stars.
bool matches(const std::string& pattern, const std::string& path) {
  return std::count(pattern.begin(), pattern.end(), '*') <= 3 &&
         ::fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0;
}

// Sources in the order of the command, patterns replaced by what they match, each once.
std::vector<std::string> expand(const std::vector<std::string>& written,
                                const std::map<std::string, std::string>& files) {
  std::vector<std::string> sources;
  const auto add = [&](const std::string& source) {
    if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
  };
  for (const std::string& source : written) {
    if (!is_pattern(source)) add(source);
    for (const auto& [path, text] : files) {
      if (is_pattern(source) && matches(source, path)) add(path);
    }
  }
  return sources;
}

// Where the answer goes: the source that nobody has yet; else a file that a pattern would match but that is
// not there; else the one context file that is compiled, which the answer replaces.
std::string find_answer_file(const NvccCommand& command, const std::vector<std::string>& sources,
                             const std::map<std::string, std::string>& files,
                             const std::map<std::string, std::string>& context) {
  for (const std::string& source : sources) {
    if (!files.contains(source)) return source;
  }
  for (const std::string& pattern : command.sources) {
    const std::string beside = (std::filesystem::path(pattern).parent_path() / "solution.cu").string();
    if (is_pattern(pattern) && matches(pattern, beside) &&
        std::none_of(files.begin(), files.end(),
                     [&](const auto& file) { return matches(pattern, file.first); }))
      return beside;
  }
  std::vector<std::string> compiled;
  std::copy_if(sources.begin(), sources.end(), std::back_inserter(compiled),
               [&](const std::string& source) { return context.contains(source); });
  return compiled.size() == 1 ? compiled[0] : "";
}

std::string fault_of_paths(const TestBuild& tests) {
  for (const auto* list : {&tests.sources, &tests.include_folders}) {
    for (const std::string& path : *list) {
      if (path != "." && !is_path_below(path)) return fmt::format("it names {}", in_quotes(path));
    }
  }
  return "";
}

// Fills the build; why it cannot be done, or nothing.
std::string read_build(const Problem& problem, TestBuild& tests) {
  const std::map<std::string, std::string> context = problem.files("context_files");
  const std::string text = problem.text("build_command", false);
  if (text.empty()) return "it has no build command";
  NvccCommand command = parse_nvcc_command(text);
  if (!command.fault.empty()) return fmt::format("its build command cannot be understood: {}", command.fault);
  for (std::string& source : command.sources) source = Problem::plain_path(source);
  for (std::string& folder : command.include_folders) folder = Problem::plain_path(folder);
  tests.sources = expand(command.sources, tests.files);
  tests.answer_file = find_answer_file(command, tests.sources, tests.files, context);
  if (tests.answer_file.empty()) return "its build command names no file for the answer";
  if (std::find(tests.sources.begin(), tests.sources.end(), tests.answer_file) == tests.sources.end())
    tests.sources.push_back(tests.answer_file);
  tests.include_folders = std::move(command.include_folders);
  tests.defines = std::move(command.defines);
  tests.libraries = std::move(command.libraries);
  tests.standard = std::move(command.standard);
  tests.nvcc_flags = std::move(command.language_flags);
  if (const std::string bad = fault_of_paths(tests); !bad.empty())
    return fmt::format("its build command cannot be followed: {}", bad);
  ShellWords run = shell_words(problem.text("test_command", true));
  if (!run.fault.empty()) return fmt::format("its test command cannot be understood: {}", run.fault);
  if (run.words.empty() || Problem::plain_path(run.words[0]) != Problem::plain_path(command.program))
    return "its test command does not start the program that was built";
  tests.arguments.assign(run.words.begin() + 1, run.words.end());
  return "";
}

std::vector<std::string> texts_of(const Problem& problem, const Json& value) {
  std::vector<std::string> texts;
  if (value.is_null()) return texts;
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array()) throw problem.wrong("`source_references` is neither text nor list");
  for (const Json& item : value) {
    if (!item.is_string()) throw problem.wrong("`source_references` lists something else than names");
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

// Names that must stand in an answer: a text, a list (all), or {"all": [...], "any": [...]}.
void read_references(const Problem& problem, TestBuild& tests) {
  const Json* references = problem.find("source_references");
  if (references == nullptr) return;
  if (!references->is_object()) {
    tests.needs_all = texts_of(problem, *references);
    return;
  }
  if (references->contains("all")) tests.needs_all = texts_of(problem, (*references)["all"]);
  if (references->contains("any")) tests.needs_any = texts_of(problem, (*references)["any"]);
}

// Library problems are solved by calls, and some problems bring the kernel that is to be launched.
bool wants_kernel(const Problem& problem, const TestBuild& tests) {
  const std::string group = problem.text("group", false);
  if (group.empty() ? !tests.libraries.empty() : group != "cuda-kernels") return false;
  return std::all_of(tests.files.begin(), tests.files.end(),
                     [](const auto& file) { return find_kernel_use(file.second).defined.empty(); });
}

std::string prompt_of(const Problem& problem) {
  std::string prompt = problem.text("prompt", true);
  prompt += fmt::format("\n\nBuild command:\n{}\n", problem.text("build_command", false));
  for (const auto& [path, text] : problem.files("context_files")) {
    prompt += fmt::format("\nFile {}:\n```\n{}{}```\n", path, text, text.ends_with('\n') ? "" : "\n");
  }
  return prompt;
}

// The benchmark's own solution, if it is the one file that is asked for.
std::string baseline_of(const Problem& problem, const TestBuild& tests) {
  const Json* baseline = problem.find("baseline_solution");
  if (baseline == nullptr || !baseline->is_object() || !baseline->contains("files")) return "";
  const auto files = problem.files_of((*baseline)["files"], "baseline_solution");
  return files.size() == 1 && files.contains(tests.answer_file) ? files.at(tests.answer_file) : "";
}

Task task_of_problem(const Json& row, const std::string& place) {
  const Problem problem(row, place);
  if (problem.find("test_files") == nullptr && problem.find("declaration") != nullptr) {
    throw Error("{}: this is compute-eval's form of 2025 before its releases", place)
        .with_remedy("take one of its release archives (tar.gz)");
  }
  Task task;
  task.id = problem.text("task_id", true);
  if (task.id.empty()) throw problem.wrong("`task_id` is empty");
  task.family = task.id;
  task.benchmark = "compute-eval";
  task.kind = AnswerKind::kTests;
  task.place = place;
  task.time_limit = problem.seconds();
  task.prompts = {{"1", prompt_of(problem)}};
  task.tests.files = problem.files("context_files");
  for (auto& [path, text] : problem.files("test_files")) task.tests.files[path] = text;
  read_references(problem, task.tests);
  if (problem.text("type", false) == "cuda_python") {
    task.fault = "a Python problem: only those in CUDA C++ are judged";
  } else {
    task.fault = read_build(problem, task.tests);
  }
  task.needs_kernel = wants_kernel(problem, task.tests);
  task.oracle.program = baseline_of(problem, task.tests);
  return task;
}

std::string problems_in(const std::filesystem::path& path) {
  std::string text = read_file(path);
  if (!looks_like_gzip(text)) return text;
  const ArchiveLimits limits;
  auto files = read_tar(gunzip(text, limits.unpacked, path.string()), limits.files, path.string());
  for (auto& [name, content] : files) {
    if (std::filesystem::path(name).filename() == kProblems) return std::move(content);
  }
  throw Error("{}: the archive holds no {}", path.string(), kProblems)
      .with_remedy("compute-eval's problems are meant, not its solutions");
}

}  // namespace

std::vector<Task> parse_compute_eval(std::string_view problems, const std::string& name) {
  std::vector<Task> tasks;
  std::set<std::string> ids;
  size_t number = 0;
  for (const std::string_view line : lines_of(problems)) {
    const std::string place = fmt::format("{}:{}", name, ++number);
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    tasks.push_back(task_of_problem(parse_json(line, place), place));
    if (!ids.insert(tasks.back().id).second)
      throw Error("{}: the id {} comes twice", place, in_quotes(tasks.back().id))
          .with_remedy("keep one of the two");
  }
  if (tasks.empty()) throw Error("{}: no problems in it", name).with_remedy("name another file");
  return tasks;
}

std::vector<Task> read_compute_eval(const std::filesystem::path& path) {
  return parse_compute_eval(problems_in(path), path.string());
}

}  // namespace cuset
