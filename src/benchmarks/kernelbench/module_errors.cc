#include "benchmarks/kernelbench/module_errors.h"

#include "base/error.h"
#include "execute/build/emulator_messages.h"

namespace cuset::benchmarks {
namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

std::optional<judge::Outcome> outcome_of_ending(const execute::Run& run) {
  switch (run.outcome) {
    case execute::Run::Outcome::kTimeout:
      return judge::Outcome::kTimeout;
    case execute::Run::Outcome::kOutOfMemory:
      return judge::Outcome::kOutOfMemory;
    case execute::Run::Outcome::kCrash:
    case execute::Run::Outcome::kTooMuchOutput:
      return judge::Outcome::kCrash;
    default:
      return std::nullopt;
  }
}

judge::Outcome outcome_of_error(const std::string& phase, const std::string& error) {
  if (phase == "import") return judge::Outcome::kCompileError;
  if (contains(error, "OutOfMemoryError")) return judge::Outcome::kOutOfMemory;
  return contains(error, "CUDA error") || contains(error, "AcceleratorError") ? judge::Outcome::kLaunchError
                                                                              : judge::Outcome::kCrash;
}

bool failed_to_build(const base::Json& result) {
  const std::string error = base::json_string(result, "error");
  return base::json_string(result, "phase") == "import" &&
         (contains(error, "building extension") || contains(error, "undefined symbol"));
}

std::string reason_of(const std::string& error) {
  if (error.empty()) return "the process left no result";
  const std::string compiler = contains(error, "building extension") ? execute::first_error(error) : "";
  return base::in_quotes(compiler.empty() ? error.substr(0, error.find('\n')) : "error: " + compiler, 300);
}

std::string needs_gpu(const std::string& construct) {
  return fmt::format("{} needs a GPU: --executor gpu", base::in_quotes(construct, 120));
}

std::string find_unserved(const execute::Run& run, const std::string& error) {
  for (const execute::RunFinding& finding : run.findings) {
    if (finding.kind == "unsupported") return finding.text;
  }
  if (const auto named = execute::unsupported_constructs(error); !named.empty()) return named[0];
  if (const auto functions = execute::undefined_cuda_functions(error); !functions.empty())
    return functions[0];
  if (const std::string header = execute::missing_cuda_header(error); !header.empty()) return header;
  // An operation of PyTorch that has kernels for CUDA alone.
  const std::string_view mark = "Could not run '";
  const size_t start = error.find(mark), end = error.find('\'', start + mark.size());
  const bool is_missing = start != error.npos && contains(error, "'CPU' backend") && end != error.npos;
  return is_missing ? error.substr(start + mark.size(), end - start - mark.size()) : "";
}

}  // namespace cuset::benchmarks
