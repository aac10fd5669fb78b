#include "reinforce/feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/lines.h"

namespace cuset::reinforce {
namespace {

constexpr size_t kErrors = 3;    // of a compiler
constexpr size_t kElements = 4;  // that are wrong, of an output
constexpr size_t kFindings = 3;
constexpr size_t kLineBytes = 240;
constexpr size_t kMessageLines = 16;

// Cut between characters.
std::string cut_line(std::string_view line) {
  if (line.size() <= kLineBytes) return std::string(line);
  size_t end = kLineBytes;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  return std::string(line.substr(0, end)) + " ...";
}

bool holds_any(std::string_view line, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return line.find(word) != line.npos; });
}

bool begins_error(std::string_view line) {
  return holds_any(line, {"error: ", "error : ", "undefined reference", "undefined symbol", "Error: "});
}

// What stands between errors, and the count of them at the end.
bool begins_other(std::string_view line) {
  return holds_any(line, {"warning: ", "warning #", "note: ", "In file included from", "remark: ",
                          "errors generated", "error generated", "errors detected", "error detected"});
}

std::string first_lines(const std::vector<std::string_view>& lines) {
  std::string text;
  for (size_t i = 0; i < std::min(lines.size(), kMessageLines); ++i) text += cut_line(lines[i]) + "\n";
  return text;
}

std::string quoted_block(const std::string& text) { return text.empty() ? "" : "\n```\n" + text + "```"; }

// ": the reason", where there is one.
std::string because(const std::string& explanation) {
  return explanation.empty() ? "." : ": " + cut_line(explanation) + ".";
}

std::string wrong_elements(const judge::OutputComparison& output) {
  std::string text =
      fmt::format("\n{} of {} elements of {} are wrong.", output.wrong, output.elements, output.output);
  for (size_t i = 0; i < std::min(output.first.size(), kElements); ++i) {
    const judge::Difference& element = output.first[i];
    text += fmt::format("\n{}[{}] is {}, expected {}.", output.output, element.index, element.got_text(),
                        element.wanted_text());
  }
  return text;
}

// Of the first trial that went wrong.
std::string wrong_outputs(const judge::Verdict& verdict) {
  for (const judge::Trial& trial : verdict.trials) {
    if (trial.outcome == judge::Outcome::kCorrect) continue;
    std::string text;
    for (const judge::OutputComparison& output : trial.outputs) {
      if (output.wrong > 0) text += wrong_elements(output);
    }
    if (!text.empty()) return text;
  }
  return verdict.explanation.empty() ? "" : "\n" + cut_line(verdict.explanation) + ".";
}

// Each line of the source once.
std::string findings_of(const judge::Verdict& verdict) {
  std::string text;
  std::set<std::pair<std::string, uint32_t>> said;
  for (const execute::RunFinding& finding : verdict.findings) {
    if (said.size() == kFindings || !said.insert({finding.kind, finding.line}).second) continue;
    std::string kind = finding.kind;
    std::replace(kind.begin(), kind.end(), '_', ' ');
    text += fmt::format("\nLine {}: {}: {}.", finding.line, kind, cut_line(finding.text));
  }
  return text;
}

std::string compiler_part(const judge::Verdict& verdict) {
  const std::string errors = first_compiler_errors(verdict.compiler_messages);
  return errors.empty() ? because(verdict.explanation) : ":" + quoted_block(errors);
}

// The outcome in words and what belongs to it.
std::string description_of(const judge::Verdict& verdict) {
  using judge::Outcome;
  const std::string reason = because(verdict.explanation);
  switch (verdict.outcome) {
    case Outcome::kNoCode:
      return "No program was found in the answer" + reason;
    case Outcome::kRejected:
      return "The code was not accepted" + reason;
    case Outcome::kCompileError:
      return "The code does not compile" + compiler_part(verdict);
    case Outcome::kLinkError:
      return "The code compiles but does not link" + compiler_part(verdict);
    case Outcome::kLaunchError:
      return "A kernel could not be launched, or failed on the device" + reason + findings_of(verdict);
    case Outcome::kCrash:
      return "The program crashed" + reason + findings_of(verdict);
    case Outcome::kTimeout:
      return "The program did not end in time" + reason + findings_of(verdict);
    case Outcome::kOutOfMemory:
      return "The program ran out of memory" + reason;
    case Outcome::kWrongOutput:
      return "The output is wrong." + wrong_outputs(verdict) + findings_of(verdict);
    case Outcome::kWrongShape:
      return "An output is missing or of another size" + reason;
    case Outcome::kUndefinedBehavior:
      return verdict.findings.empty()
                 ? "The outputs are right here, but the behavior is undefined" + reason
                 : "The outputs are right here, but the behavior is undefined." + findings_of(verdict);
    case Outcome::kNoKernel:
      return "No CUDA kernel of the answer did the work" + reason;
    case Outcome::kHostWork:
      return "The host computed what the kernels should have" + reason;
    case Outcome::kHack:
      return "The code works around the test instead of solving the task.";
    case Outcome::kUnsupported:
      return "The code could not be tested" + reason;
    case Outcome::kCorrect:
    case Outcome::kFaultyTask:
      break;
  }
  CUSET_CHECK(false, "feedback on {}", judge::name_of(verdict.outcome));
  return "";
}

}  // namespace

std::string first_compiler_errors(const std::string& messages) {
  const std::vector<std::string_view> lines = base::lines_of(messages);
  std::vector<std::string_view> kept;
  size_t errors = 0;
  bool is_kept = false;  // the block that a line belongs to
  for (const std::string_view line : lines) {
    if (begins_other(line)) {
      is_kept = false;
    } else if (begins_error(line)) {
      is_kept = ++errors <= kErrors;
    }
    if (is_kept && !line.empty()) kept.push_back(line);
  }
  return first_lines(kept.empty() ? lines : kept);
}

std::string feedback_on(const judge::Verdict& verdict, bool was_cut) {
  std::string text = description_of(verdict);
  if (was_cut) text += "\nThe answer was cut off at its greatest length: write a shorter one.";
  return text + "\n\nCorrect this and write the complete code again.";
}

}  // namespace cuset::reinforce
