#include "execute/run/run_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/console.h"
#include "base/human_readable.h"
#include "base/lines.h"
#include "execute/build/emulator_messages.h"
#include "execute/record/kernel_profile.h"

namespace cuset::execute {
namespace {

constexpr const char* kRed = "\033[31m";
constexpr const char* kGreen = "\033[32m";
constexpr const char* kYellow = "\033[33m";
constexpr const char* kBold = "\033[1m";
constexpr size_t kWidestName = 48;

std::string painted(std::string_view text, const char* paint, bool wanted) {
  return wanted ? fmt::format("{}{}\033[0m", paint, text) : std::string(text);
}

// "    17 |   x" has nothing but a caret and tildes after the bar or the blanks.
bool is_caret_line(std::string_view line) {
  const size_t bar = line.find('|');
  const std::string_view marks = bar == std::string_view::npos ? line : line.substr(bar + 1);
  return marks.find('^') != std::string_view::npos &&
         marks.find_first_not_of(" \t^~") == std::string_view::npos;
}

std::string with_word_painted(std::string_view line, std::string_view word, const char* paint) {
  const size_t at = line.find(word);
  if (at == std::string_view::npos) return std::string(line);
  return fmt::format("{}{}{}", line.substr(0, at), painted(word, paint, true), line.substr(at + word.size()));
}

std::string painted_message(std::string_view line) {
  if (is_caret_line(line)) return painted(line, kGreen, true);
  for (const char* word : {"fatal error:", "error:", "error "}) {
    if (line.find(word) != std::string_view::npos) return with_word_painted(line, word, kRed);
  }
  for (const char* word : {"warning:", "note:", "remark:"}) {
    if (line.find(word) != std::string_view::npos) return with_word_painted(line, word, kYellow);
  }
  return std::string(line);
}

// "reduce<float>" of "void reduce<float>(float const*, int)": what people call the kernel.
std::string short_name(const std::string& name) {
  size_t end = name.size();
  if (name.ends_with(')')) {
    for (int depth = 0; end > 0;) {
      --end;
      depth += name[end] == ')' ? 1 : name[end] == '(' ? -1 : 0;
      if (depth == 0) break;
    }
  }
  const size_t start = name.starts_with("void ") ? 5 : 0;
  return end > start ? base::printable(name.substr(start, end - start)) : base::printable(name);
}

std::string triple(const uint32_t (&size)[3]) { return fmt::format("({},{},{})", size[0], size[1], size[2]); }

std::string in_milliseconds(double ms) {
  return ms < 0.1 ? fmt::format("{:.1f} us", ms * 1000) : fmt::format("{:.{}f} ms", ms, ms < 10 ? 3 : 1);
}

// The source line and a caret below the column, as compilers show them.
std::string render_line(std::string_view source, const RunFinding& finding, bool color) {
  const std::vector<std::string_view> lines = base::lines_of(source);
  if (finding.line == 0 || finding.line > lines.size()) return "";
  const std::string line = base::printable(lines[finding.line - 1], /*keep_lines=*/true);
  std::string out = fmt::format("{:>5} | {}\n", finding.line, line);
  if (finding.column == 0 || finding.column > line.size() + 1) return out;
  std::string margin = line.substr(0, finding.column - 1);
  std::replace_if(margin.begin(), margin.end(), [](char byte) { return byte != '\t'; }, ' ');
  return out + fmt::format("      | {}{}\n", margin, painted("^", kGreen, color));
}

std::string place_of(const RunFinding& finding) {
  if (finding.file.empty()) return "";
  const std::string file = base::printable(finding.file);
  if (finding.line == 0) return file + ": ";
  if (finding.column == 0) return fmt::format("{}:{}: ", file, finding.line);
  return fmt::format("{}:{}:{}: ", file, finding.line, finding.column);
}

// A note about a launch has no thread where none is known.
bool knows_thread(const RunFinding& finding) {
  const auto is_zero = [](uint32_t index) { return index == 0; };
  return finding.kind != "note" ||
         !std::all_of(std::begin(finding.block), std::end(finding.block), is_zero) ||
         !std::all_of(std::begin(finding.thread), std::end(finding.thread), is_zero);
}

std::string render_finding(const RunReport& report, const RunFinding& finding, bool color) {
  std::string out = painted(place_of(finding), kBold, color && !finding.file.empty());
  out += painted(base::printable(finding.kind) + ":", finding.kind == "note" ? kYellow : kRed, color);
  out += " " + base::printable(finding.text);
  if (!finding.kernel.empty()) out += "; kernel " + short_name(finding.kernel);
  if (!finding.kernel.empty() && knows_thread(finding))
    out += fmt::format(", block {}, thread {}", triple(finding.block), triple(finding.thread));
  if (finding.count > 1) out += fmt::format(" (x {} more)", finding.count - 1);
  out += "\n";
  if (finding.file == report.source.string()) out += render_line(report.source_text, finding, color);
  return out;
}

const char* word_of(Build::Outcome outcome) {
  switch (outcome) {
    case Build::Outcome::kDone:
      return "done";
    case Build::Outcome::kCompileError:
      return "compile_error";
    case Build::Outcome::kLinkError:
      return "link_error";
    case Build::Outcome::kTimeout:
      return "timeout";
    case Build::Outcome::kUnsupported:
      return "unsupported";
    case Build::Outcome::kInterrupted:
      return "interrupted";
    case Build::Outcome::kRejected:
      return "rejected";
    case Build::Outcome::kHack:
      return "hack";
  }
  return "";
}

const char* word_of(Run::Outcome outcome) {
  switch (outcome) {
    case Run::Outcome::kDone:
      return "done";
    case Run::Outcome::kFailed:
      return "failed";
    case Run::Outcome::kLaunchError:
      return "launch_error";
    case Run::Outcome::kCrash:
      return "crash";
    case Run::Outcome::kTimeout:
      return "timeout";
    case Run::Outcome::kOutOfMemory:
      return "out_of_memory";
    case Run::Outcome::kTooMuchOutput:
      return "too_much_output";
    case Run::Outcome::kUnsupported:
      return "unsupported";
    case Run::Outcome::kDeviceLost:
      return "device_lost";
    case Run::Outcome::kInterrupted:
      return "interrupted";
  }
  return "";
}

bool counts(const RunFinding& finding) { return finding.kind != "note"; }

size_t findings_that_count(const Run& run) {
  return static_cast<size_t>(std::count_if(run.findings.begin(), run.findings.end(), counts));
}

std::string why_not_built(const Build& build) {
  const std::string unsupported = what_is_unsupported(build.messages);
  if (build.outcome != Build::Outcome::kUnsupported || unsupported.empty()) return "not compiled";
  return base::printable(unsupported);
}

// After an ending that is the CPU executor's fault.
std::string remedy_for_unsupported(const RunReport& report) {
  const bool is_unsupported = report.run ? report.run->outcome == Run::Outcome::kUnsupported
                                         : report.build.outcome == Build::Outcome::kUnsupported;
  return is_unsupported && report.executor == "cpu"
             ? "the CPU executor does not have this: run the program on a GPU (--executor gpu); docs/emulator.md lists "
               "what it has\n"
             : "";
}

std::string how_it_ended(const Run& run) {
  if (run.outcome == Run::Outcome::kInterrupted) return "the program was killed";
  return run.explanation.empty() ? fmt::format("exit status {}", run.process.exit_status)
                                 : base::printable(run.explanation);
}

std::string time_of_build(const Build& build) {
  return build.cached ? "compiled before" : "compiled in " + base::human_duration(build.seconds);
}

base::Json json_of(const KernelLaunches& kernel, const base::GpuInfo& gpu) {
  base::Json json = {{"name", kernel.name},         {"grid", kernel.grid},
                     {"block", kernel.block},       {"shared_bytes", kernel.shared_bytes},
                     {"launches", kernel.launches}, {"failed", kernel.failed},
                     {"total_ms", kernel.total_ms}, {"shortest_ms", kernel.shortest_ms}};
  if (kernel.registers == 0) return json;
  const Occupancy occupancy = occupancy_of(kernel, gpu);
  json.update({{"static_shared_bytes", kernel.static_shared_bytes},
               {"registers", kernel.registers},
               {"local_bytes", kernel.local_bytes},
               {"occupancy", occupancy.share},
               {"blocks", occupancy.blocks},
               {"limit", occupancy.limit}});
  return json;
}

bool is_profiled(const KernelLaunches& kernel) { return kernel.registers > 0; }

// What each kernel takes of the device; empty where that is not known.
std::string render_profile(const Run& run, const base::GpuInfo& gpu, size_t width) {
  if (!std::any_of(run.kernels.begin(), run.kernels.end(), is_profiled)) return "";
  std::string out =
      fmt::format("{:<{}}  {:>6}  {:>9}  {:>13}  {:>14}  {:>10}  {:>9}  limited by\n", "kernel", width,
                  "share", "registers", "static shared", "dynamic shared", "local", "occupancy");
  for (const KernelProfile& profile : profile_of(run.kernels, gpu)) {
    const std::string name = short_name(profile.kernel.name);
    const std::string_view shown = base::first_columns(name, kWidestName);
    out += fmt::format("{}{:<{}}  {:>4.0f} %  {:>9}  {:>13}  {:>14}  {:>10}  {:>7.0f} %  {}\n", shown, "",
                       width - base::columns_of(shown), profile.share * 100, profile.kernel.registers,
                       base::human_bytes(profile.kernel.static_shared_bytes),
                       base::human_bytes(profile.kernel.dynamic_shared_bytes()),
                       base::human_bytes(profile.kernel.local_bytes), profile.occupancy.share * 100,
                       profile.occupancy.limit);
  }
  return out;
}

base::Json json_of(const RunFinding& finding) {
  return {{"kind", finding.kind},   {"text", finding.text},     {"kernel", finding.kernel},
          {"file", finding.file},   {"line", finding.line},     {"column", finding.column},
          {"block", finding.block}, {"thread", finding.thread}, {"count", finding.count}};
}

base::Json json_of(const BuildOptions& options, const Build& build) {
  return {{"outcome", word_of(build.outcome)},
          {"compiler", build.compiler},
          {"command", build.command},
          {"standard", options.standard},
          {"optimisation", options.optimization},
          {"architecture", options.architecture},
          {"check", options.check},
          {"seconds", build.seconds},
          {"cached", build.cached},
          {"messages", build.messages}};
}

base::Json json_of(const Run& run, const base::GpuInfo& gpu) {
  base::Json kernels = base::Json::array();
  for (const KernelLaunches& kernel : run.kernels) kernels.push_back(json_of(kernel, gpu));
  base::Json findings = base::Json::array();
  for (const RunFinding& finding : run.findings) findings.push_back(json_of(finding));
  const sandbox::SandboxResult& process = run.process;
  return {{"outcome", word_of(run.outcome)},
          {"explanation", run.explanation},
          {"exit_status", process.exit_status},
          {"signal", process.signal},
          {"cuda_error", run.cuda_error},
          {"wall_seconds", process.wall_seconds},
          {"cpu_seconds", process.cpu_seconds},
          {"peak_memory", process.peak_memory},
          {"output_bytes", process.output_bytes},
          {"stdout", process.output},
          {"stderr", process.errors},
          {"kernels", std::move(kernels)},
          {"findings", std::move(findings)}};
}

}  // namespace

bool RunReport::is_clean() const {
  return run && run->outcome == Run::Outcome::kDone && findings_that_count(*run) == 0;
}

std::string render_messages(std::string_view messages, bool color) {
  std::string out;
  for (const std::string_view line : base::lines_of(messages)) {
    const std::string safe = base::printable(line, /*keep_lines=*/true);
    out += (color ? painted_message(safe) : safe) + "\n";
  }
  return out;
}

std::string render_kernels(const Run& run, const base::GpuInfo& gpu) {
  if (run.kernels.empty()) return "";
  size_t width = 6;
  for (const KernelLaunches& kernel : run.kernels) {
    width = std::max(width, std::min(base::columns_of(short_name(kernel.name)), kWidestName));
  }
  std::string out = fmt::format("{:<{}}  {:>15}  {:>13}  {:>9}  {:>8}  {:>10}  {:>10}\n", "kernel", width,
                                "grid", "block", "shared", "launches", "total", "fastest");
  for (const KernelLaunches& kernel : run.kernels) {
    const std::string name = short_name(kernel.name);
    const std::string_view shown = base::first_columns(name, kWidestName);
    out += fmt::format("{}{:<{}}  {:>15}  {:>13}  {:>9}  {:>8}  {:>10}  {:>10}\n", shown, "",
                       width - base::columns_of(shown), triple(kernel.grid), triple(kernel.block),
                       base::human_bytes(kernel.shared_bytes), kernel.launches,
                       in_milliseconds(kernel.total_ms), in_milliseconds(kernel.shortest_ms));
    if (kernel.failed > 0) out += fmt::format("{:<{}}  {} of them failed\n", "", width, kernel.failed);
  }
  return out + render_profile(run, gpu, width);
}

std::string render_findings(const RunReport& report, bool color) {
  std::string out;
  if (!report.run) return out;
  for (const RunFinding& finding : report.run->findings) out += render_finding(report, finding, color);
  return out;
}

std::string render_ending(const RunReport& report, bool color) {
  if (!report.run) {
    return fmt::format("{}: {} (after {}, {})\n{}", painted(word_of(report.build.outcome), kRed, color),
                       why_not_built(report.build), base::human_duration(report.build.seconds),
                       report.build.compiler, remedy_for_unsupported(report));
  }
  const Run& run = *report.run;
  std::string out = painted(word_of(run.outcome), run.outcome == Run::Outcome::kDone ? kGreen : kRed, color);
  out +=
      fmt::format(": {}; ran {}, {} ({})", how_it_ended(run), base::human_duration(run.process.wall_seconds),
                  time_of_build(report.build), report.description);
  if (const size_t count = findings_that_count(run); count > 0) {
    out += "; " + painted(fmt::format("{} finding{}", count, count > 1 ? "s" : ""), kRed, color);
  } else if (report.options.check && run.outcome == Run::Outcome::kDone) {
    out += "; nothing found";
  }
  return out + "\n" + remedy_for_unsupported(report);
}

base::Json to_json(const RunReport& report) {
  return {{"source", report.source.string()},
          {"executor", report.executor},
          {"description", report.description},
          {"clean", report.is_clean()},
          {"build", json_of(report.options, report.build)},
          {"run", report.run ? json_of(*report.run, report.gpu) : base::Json(nullptr)}};
}

}  // namespace cuset::execute
