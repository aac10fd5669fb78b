#include "judge/scripts/python.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/error.h"
#include "base/lines.h"
#include "base/machine/cpu_instructions.h"
#include "base/machine/openmp_waiting.h"
#include "sandbox/process.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

// Without importing torch, which takes a second.
constexpr const char* kAskForNumpy =
    "import sys, os, importlib.metadata, importlib.util, numpy\n"
    "torch = importlib.util.find_spec('torch')\n"
    "names = ['numpy'] + (['torch'] if torch else [])\n"
    "folders = [numpy.__file__] + ([torch.origin] if torch and torch.origin else [])\n"
    "version = lambda name: name + ' ' + importlib.metadata.version(name)\n";
constexpr const char* kAskForTorch =
    "import sys, os, torch\n"
    "folders = [torch.__file__]\n"
    "names = ['torch']\n"
    "version = lambda name: 'torch ' + torch.__version__\n";
constexpr const char* kAnswer =
    "print('path', os.path.realpath(sys.executable))\n"
    "print('path', sys.prefix)\n"
    "print('path', sys.base_prefix)\n"
    "for file in folders: print('path', os.path.dirname(os.path.dirname(os.path.abspath(file))))\n"
    "print('version', ', '.join(['Python ' + sys.version.split()[0]] + [version(name) for name in names]))\n"
    "if 'torch' in names: print('torch yes')\n"
    "print('program', sys.executable)\n";

// The rest of a line that begins with `word` and a blank.
std::optional<std::string> after(std::string_view line, std::string_view word) {
  if (!line.starts_with(word) || line.size() <= word.size() || line[word.size()] != ' ') return std::nullopt;
  return std::string(line.substr(word.size() + 1));
}

struct AskedPython {
  std::optional<Python> python;
  std::string problem;
};

AskedPython ask(const std::string& program, PythonLibrary library) {
  const std::string question =
      std::string(library == PythonLibrary::kTorch ? kAskForTorch : kAskForNumpy) + kAnswer;
  const sandbox::ProcessResult asked =
      sandbox::run_process({program, "-I", "-B", "-c", question}, {.time_limit = std::chrono::minutes(2)});
  Python python;
  for (const std::string_view line : base::lines_of(asked.output)) {
    if (const auto path = after(line, "path")) python.readable.emplace_back(*path);
    if (const auto version = after(line, "version")) python.version = *version;
    if (const auto own = after(line, "program")) python.program = *own;
    if (after(line, "torch")) python.has_torch = true;
  }
  if (!asked.started) return {std::nullopt, program + " is not there"};
  if (!asked.succeeded() || python.program.empty()) {
    const std::string_view text = asked.output;
    const std::string_view last = text.substr(0, text.find_last_not_of('\n') + 1);
    return {std::nullopt, fmt::format("{}: {}", program,
                                      base::in_quotes(std::string(last.substr(last.rfind('\n') + 1)), 200))};
  }
  std::error_code ignored;
  std::erase_if(python.readable,
                [&](const fs::path& path) { return path == "/usr" || !fs::exists(path, ignored); });
  return {std::move(python), ""};
}

std::vector<std::string> candidates() {
  if (const char* chosen = std::getenv("CUSET_PYTHON"); chosen != nullptr && *chosen != '\0') return {chosen};
  std::vector<std::string> programs;
  std::error_code ignored;
  if (fs::exists(CUSET_SETUP_PYTHON, ignored)) programs.emplace_back(CUSET_SETUP_PYTHON);
  programs.emplace_back("python3");
  return programs;
}

}  // namespace

Python find_python(PythonLibrary library) {
  std::optional<Python> second_best;
  std::string problems;
  for (const std::string& program : candidates()) {
    AskedPython asked = ask(program, library);
    if (asked.python && asked.python->has_torch) return *std::move(asked.python);
    if (asked.python && !second_best) second_best = std::move(asked.python);
    if (!asked.problem.empty()) problems += (problems.empty() ? "" : "; ") + asked.problem;
  }
  if (second_best) return *std::move(second_best);
  const char* const name = library == PythonLibrary::kTorch ? "PyTorch" : "numpy";
  throw base::Error("no Python with {}: {}", name, problems)
      .with_remedy("name a Python with {} in CUSET_PYTHON; in the source tree, make setup installs one",
                   name);
}

sandbox::SandboxedCommand python_command(const Python& python, const fs::path& folder,
                                         const fs::path& program, const std::vector<std::string>& arguments) {
  sandbox::SandboxedCommand command;
  // -I: nothing of the user's own Python; -B: no compiled files beside the libraries.
  command.arguments = {python.program.string(), "-I", "-B", program.string()};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  command.folder = folder;
  command.readable = python.readable;
  command.environment = base::waiting_policy();
  if (const char* limit = std::getenv(base::kOneDnnLimit)) command.environment[base::kOneDnnLimit] = limit;
  return command;
}

}  // namespace cuset::judge
