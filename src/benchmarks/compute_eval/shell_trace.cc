#include "benchmarks/compute_eval/shell_trace.h"

#include <charconv>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/lines.h"
#include "execute/build/companion_sources.h"
#include "sandbox/sandbox.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCalls = "cuset_calls";
constexpr const char* kPrograms = "cuset_programs";
constexpr uint64_t kMostBytes = 1 << 20;

// Writes the number of its words and the words, each with a zero behind it; then makes what `-o` names.
constexpr const char* kRecorder = R"(#!/bin/sh
printf '%s\0' "$#" "$@" >> '{calls}'
while [ "$#" -gt 0 ]; do
  case "$1" in
    -o) [ "$#" -gt 1 ] && : > "$2" && chmod +x "$2" ;;
    -o?*) : > "${{1#-o}}" && chmod +x "${{1#-o}}" ;;
  esac
  shift
done
exit {status}
)";

constexpr const char* kSilentProgram = R"(#!/bin/sh
printf '%s\0' "$#" "$@" >> '{calls}'
exit {status}
)";

std::vector<std::string> zero_ended(std::string_view text) {
  std::vector<std::string> parts;
  for (size_t end = text.find('\0'); end != text.npos; end = text.find('\0')) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return parts;
}

// Empty where the command wrote something else into the file.
std::vector<std::vector<std::string>> calls_in(std::string_view text) {
  const std::vector<std::string> parts = zero_ended(text);
  std::vector<std::vector<std::string>> calls;
  for (size_t at = 0; at < parts.size();) {
    size_t count = 0;
    const char* const end = parts[at].data() + parts[at].size();
    if (std::from_chars(parts[at].data(), end, count).ptr != end || count > parts.size() - at - 1) return {};
    ++at;
    calls.emplace_back(parts.begin() + static_cast<ptrdiff_t>(at),
                       parts.begin() + static_cast<ptrdiff_t>(at + count));
    at += count;
  }
  return calls;
}

std::string last_message(const std::string& text) {
  std::string_view last;
  for (const std::string_view line : base::lines_of(text)) {
    if (line.find_first_not_of(" \t\r") != line.npos) last = line;
  }
  return std::string(last);
}

void lay_program(const TracedCommand& traced, const fs::path& folder) {
  const bool compiler = traced.program == "nvcc";
  const fs::path file =
      (compiler ? folder / kPrograms / traced.program : folder / traced.program).lexically_normal();
  fs::create_directories(file.parent_path());
  base::write_file_atomic(
      file, fmt::format(fmt::runtime(compiler ? kRecorder : kSilentProgram),
                        fmt::arg("calls", (folder / kCalls).string()), fmt::arg("status", traced.status)));
  fs::permissions(file, fs::perms::owner_all);
}

}  // namespace

ShellTrace trace_command(const TracedCommand& traced) {
  const base::TemporaryFolder folder;
  execute::CompanionSources files;
  files.files = traced.files;
  execute::lay_companions(files, folder.path());
  lay_program(traced, folder.path());
  sandbox::SandboxedCommand command;
  command.arguments = {
      "/bin/sh", "-c",
      fmt::format("PATH='{}':\"$PATH\"\nexport PATH\n{}", (folder / kPrograms).string(), traced.command)};
  command.folder = folder.path();
  command.limits.wall_time = std::chrono::seconds(20);
  const sandbox::SandboxResult result = sandbox::run_sandboxed(command);
  ShellTrace trace;
  trace.status = result.exit_status;
  if (result.ending != sandbox::Ending::kExited) {
    trace.fault = result.reason.empty() ? "the shell did not end by itself" : result.reason;
    return trace;
  }
  std::error_code absent;
  const uint64_t size = fs::file_size(folder / kCalls, absent);
  if (!absent && size <= kMostBytes) trace.calls = calls_in(base::read_file(folder / kCalls));
  if (result.exit_status != 0 && traced.status == 0)
    trace.fault = fmt::format("it ends with status {}: {}", result.exit_status,
                              base::in_quotes(last_message(result.errors + result.output), 200));
  return trace;
}

}  // namespace cuset::benchmarks
