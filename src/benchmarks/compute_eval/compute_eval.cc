// NVIDIA compute-eval (docs/benchmarks.md): a tar.gz with problems.jsonl, or that file itself. A problem has
// a prompt, context files that the answer's author sees, test files that they do not, and the commands that
// build and run the tests. The benchmark's own license allows evaluation only; nothing of it is kept here.
#include "benchmarks/compute_eval/compute_eval.h"

#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/json_cursor.h"
#include "base/lines.h"
#include "benchmarks/compute_eval/archive.h"
#include "benchmarks/compute_eval/compute_eval_command.h"
#include "cuda_source/regions.h"
#include "execute/build/companion_sources.h"

namespace cuset::benchmarks {
namespace {

constexpr const char* kProblems = "problems.jsonl";
constexpr double kDefaultSeconds = 60;
constexpr double kMostSeconds = 3600;

constexpr std::string_view kFields =
    "rows of compute-eval have task_id, prompt, context_files, test_files, build_command and test_command "
    "(docs/benchmarks.md)";

using Files = std::map<std::string, std::string>;  // text by path

// "context_files", "test_files": [{"path", "content"}].
Files files_of(const base::JsonCursor& list) {
  Files files;
  for (const base::JsonCursor& file : list.elements_or_none()) {
    const std::string path = plain_path(file.at("path").string());
    if (!execute::is_path_below(path)) file.at("path").refuse_type("a path below the problem's folder");
    files[path] = file.at("content").string();
  }
  return files;
}

double seconds_of(const base::JsonCursor& field) {
  const double limit = field.number_or(kDefaultSeconds);
  if (!(limit > 0 && limit <= kMostSeconds)) field.refuse_type("a time above 0 and up to an hour");
  return limit;
}

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

std::string fault_of_paths(const tasks::TestBuild& tests) {
  for (const auto* list : {&tests.sources, &tests.include_folders}) {
    for (const std::string& path : *list) {
      if (path != "." && !execute::is_path_below(path))
        return fmt::format("it names {}", base::in_quotes(path));
    }
  }
  return "";
}

// Include folders of a toolkit: nvcc gets them as they are, the CPU executor has headers of its own.
void leave_out_toolkit(tasks::TestBuild& tests) {
  std::erase_if(tests.include_folders, [&](const std::string& folder) {
    constexpr std::string_view kToolkits[] = {"/usr/local/cuda", "/usr/lib/cuda", "/usr/include",
                                              "/opt/cuda"};
    const bool found = std::any_of(std::begin(kToolkits), std::end(kToolkits),
                                   [&](std::string_view toolkit) { return folder.starts_with(toolkit); });
    if (found && folder.find("..") == folder.npos) tests.nvcc_flags.push_back("-I" + folder);
    return found && folder.find("..") == folder.npos;
  });
}

// The tree as a shell sees it when an answer is there: the benchmark's own solution says which files that has.
Files with_answer(const base::JsonCursor& problem, Files files) {
  const base::JsonCursor baseline = problem.get("baseline_solution");
  if (baseline.value().is_object()) {
    for (const auto& [path, text] : files_of(baseline.get("files"))) files.try_emplace(path);
  } else {
    files.try_emplace("solution.cu");
  }
  return files;
}

// Fills the build; why it cannot be done, or nothing.
std::string read_build(const base::JsonCursor& problem, tasks::TestBuild& tests) {
  const std::map<std::string, std::string> context = files_of(problem.get("context_files"));
  const std::string text = problem.get("build_command").string_or("");
  if (text.empty()) return "it has no build command";
  NvccCommand command = parse_nvcc_command(text, with_answer(problem, tests.files));
  if (!command.fault.empty()) return fmt::format("its build command cannot be understood: {}", command.fault);
  for (std::string& source : command.sources) source = plain_path(source);
  for (std::string& folder : command.include_folders) folder = plain_path(folder);
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
  leave_out_toolkit(tests);
  if (const std::string bad = fault_of_paths(tests); !bad.empty())
    return fmt::format("its build command cannot be followed: {}", bad);
  TestCommand run = parse_test_command(problem.at("test_command").string(), command.program);
  if (!run.fault.empty()) return run.fault;
  tests.arguments = std::move(run.arguments);
  return "";
}

std::vector<std::string> texts_of(const base::JsonCursor& field) {
  if (field.is_absent()) return {};
  if (field.value().is_string()) return {field.string()};
  if (!field.value().is_array()) field.refuse_type("a string or a list of strings");
  return field.strings();
}

// Names that must stand in an answer: a text, a list (all), or {"all": [...], "any": [...]}.
void read_references(const base::JsonCursor& problem, tasks::TestBuild& tests) {
  const base::JsonCursor references = problem.get("source_references");
  if (!references.value().is_object()) {
    tests.needs_all = texts_of(references);
    return;
  }
  tests.needs_all = texts_of(references.get("all"));
  tests.needs_any = texts_of(references.get("any"));
}

// Library problems are solved by calls, and some problems bring the kernel that is to be launched.
bool wants_kernel(const base::JsonCursor& problem, const tasks::TestBuild& tests) {
  const std::string group = problem.get("group").string_or("");
  if (group.empty() ? !tests.libraries.empty() : group != "cuda-kernels") return false;
  return std::all_of(tests.files.begin(), tests.files.end(), [](const auto& file) {
    return cuda_source::find_kernel_use(file.second).defined.empty();
  });
}

std::string prompt_of(const base::JsonCursor& problem) {
  std::string prompt = problem.at("prompt").string();
  prompt += fmt::format("\n\nBuild command:\n{}\n", problem.get("build_command").string_or(""));
  for (const auto& [path, text] : files_of(problem.get("context_files"))) {
    prompt += fmt::format("\nFile {}:\n```\n{}{}```\n", path, text, text.ends_with('\n') ? "" : "\n");
  }
  return prompt;
}

// The benchmark's own solution, as an answer: one file, or several behind lines `// file: path`.
std::string baseline_of(const base::JsonCursor& problem, const tasks::TestBuild& tests) {
  const base::JsonCursor baseline = problem.get("baseline_solution");
  if (!baseline.value().is_object()) return "";
  const Files files = files_of(baseline.get("files"));
  if (files.size() == 1 && files.contains(tests.answer_file)) return files.at(tests.answer_file);
  std::string text;
  for (const auto& [path, content] : files) text += fmt::format("// file: {}\n{}\n", path, content);
  return text;
}

tasks::Task task_of_problem(const base::Json& row, const std::string& place) {
  const base::JsonCursor problem = base::JsonCursor(row, place).with_remedy(kFields);
  if (problem.get("test_files").is_absent() && !problem.get("declaration").is_absent()) {
    throw base::Error("{}: this is compute-eval's form of 2025 before its releases", place)
        .with_remedy("take one of its release archives (tar.gz)");
  }
  tasks::Task task;
  task.id = problem.at("task_id").nonempty_string();
  task.family = task.id;
  task.benchmark = "compute-eval";
  task.kind = tasks::AnswerKind::kTests;
  task.place = place;
  task.time_limit = seconds_of(problem.get("timeout_seconds"));
  task.prompts = {{"1", prompt_of(problem)}};
  task.tests.files = files_of(problem.get("context_files"));
  for (auto& [path, text] : files_of(problem.get("test_files"))) task.tests.files[path] = text;
  read_references(problem, task.tests);
  if (problem.get("type").string_or("") == "cuda_python") {
    task.fault = "a Python problem: only those in CUDA C++ are judged";
  } else {
    task.fault = read_build(problem, task.tests);
  }
  task.needs_kernel = wants_kernel(problem, task.tests);
  task.oracle.program = baseline_of(problem, task.tests);
  return task;
}

std::string problems_in(const std::filesystem::path& path) {
  std::string text = base::read_file(path);
  if (!looks_like_gzip(text)) return text;
  const ArchiveLimits limits;
  auto files = read_tar(gunzip(text, limits.unpacked, path.string()), limits.files, path.string());
  for (auto& [name, content] : files) {
    if (std::filesystem::path(name).filename() == kProblems) return std::move(content);
  }
  throw base::Error("{}: the archive holds no {}", path.string(), kProblems)
      .with_remedy("compute-eval's problems are meant, not its solutions");
}

}  // namespace

std::vector<tasks::Task> parse_compute_eval(std::string_view problems, const std::string& name) {
  std::vector<tasks::Task> tasks;
  std::set<std::string> ids;
  size_t number = 0;
  for (const std::string_view line : base::lines_of(problems)) {
    const std::string place = fmt::format("{}:{}", name, ++number);
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    tasks.push_back(task_of_problem(base::parse_json(line, place), place));
    if (!ids.insert(tasks.back().id).second)
      throw base::Error("{}: the id {} appears twice", place, base::in_quotes(tasks.back().id))
          .with_remedy("keep one of the two");
  }
  if (tasks.empty()) throw base::Error("{}: no problems in it", name).with_remedy("name another file");
  return tasks;
}

std::vector<tasks::Task> read_compute_eval(const std::filesystem::path& path) {
  return parse_compute_eval(problems_in(path), path.string());
}

}  // namespace cuset::benchmarks
