#include "cuda/expected_findings.h"

#include <algorithm>
#include <optional>

#include "base/error.h"

namespace cuset::tests {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<FindingMark::Duty> take_duty(std::string_view& text) {
  using Duty = FindingMark::Duty;
  constexpr std::pair<std::string_view, Duty> kWords[] = {
      {"finds:", Duty::kFinds}, {"or:", Duty::kOr}, {"may:", Duty::kMay}};
  for (const auto& [word, duty] : kWords) {
    if (!text.starts_with(word)) continue;
    text = trimmed(text.substr(word.size()));
    return duty;
  }
  return std::nullopt;
}

// `text` is one mark, such as: finds: out_of_bounds "null"
FindingMark parse_mark(std::string_view text, uint32_t line, const std::filesystem::path& file) {
  FindingMark mark;
  const std::string_view whole = text;
  const std::optional<FindingMark::Duty> duty = take_duty(text);
  const size_t end = std::min(text.find(' '), text.size());
  std::string_view rest = trimmed(text.substr(end));
  const bool quoted = rest.size() >= 2 && rest.front() == '"' && rest.back() == '"';
  if (!duty || end == 0 || (!rest.empty() && !quoted))
    throw base::Error("{}:{}: no mark of a finding: {}", file.string(), line, base::in_quotes(whole))
        .with_remedy("write // finds: KIND, // or: KIND or // may: KIND, several separated by semicolons");
  mark.duty = *duty;
  mark.line = line;
  mark.kind = text.substr(0, end);
  if (quoted) mark.text = rest.substr(1, rest.size() - 2);
  return mark;
}

// The comment that ends `line`, if it begins with a mark.
std::string_view marks_of(std::string_view line) {
  const size_t slashes = line.rfind("//");
  if (slashes == std::string_view::npos) return {};
  std::string_view comment = trimmed(line.substr(slashes + 2));
  std::string_view rest = comment;
  return take_duty(rest) ? comment : std::string_view{};
}

bool meets(const execute::RunFinding& finding, const FindingMark& mark, uint32_t line) {
  return finding.kind == mark.kind && finding.line == line &&
         (mark.text.empty() || finding.text.find(mark.text) != std::string::npos);
}

std::string place(const std::vector<FindingMark>& marks, const FindingMark& wanted) {
  std::string lines = fmt::format("line {}", wanted.line);
  for (const FindingMark& mark : marks) {
    if (mark.duty == FindingMark::Duty::kOr && mark.kind == wanted.kind)
      lines += fmt::format(" or {}", mark.line);
  }
  if (!wanted.text.empty()) lines += fmt::format(" with \"{}\"", wanted.text);
  return lines;
}

bool is_met(const FindingMark& wanted, const std::vector<FindingMark>& marks,
            const std::vector<execute::RunFinding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [&](const execute::RunFinding& finding) {
    return meets(finding, wanted, wanted.line) ||
           std::any_of(marks.begin(), marks.end(), [&](const FindingMark& mark) {
             return mark.duty == FindingMark::Duty::kOr && meets(finding, wanted, mark.line);
           });
  });
}

bool is_marked(const execute::RunFinding& finding, const std::vector<FindingMark>& marks,
               const std::filesystem::path& file) {
  if (std::filesystem::path(finding.file).filename() != file.filename()) return false;
  return std::any_of(marks.begin(), marks.end(), [&](const FindingMark& mark) {
    return finding.kind == mark.kind && finding.line == mark.line;
  });
}

}  // namespace

std::vector<FindingMark> read_finding_marks(std::string_view source, const std::filesystem::path& file) {
  std::vector<FindingMark> marks;
  for (uint32_t number = 1; !source.empty(); ++number) {
    const size_t end = std::min(source.find('\n'), source.size());
    std::string_view comment = marks_of(source.substr(0, end));
    source.remove_prefix(std::min(end + 1, source.size()));
    while (!comment.empty()) {
      const size_t semicolon = std::min(comment.find(';'), comment.size());
      marks.push_back(parse_mark(trimmed(comment.substr(0, semicolon)), number, file));
      comment = trimmed(comment.substr(std::min(semicolon + 1, comment.size())));
    }
  }
  return marks;
}

std::string finding_differences(const std::vector<FindingMark>& marks,
                                const std::vector<execute::RunFinding>& findings,
                                const std::filesystem::path& file) {
  std::string differences;
  for (const FindingMark& mark : marks) {
    if (mark.duty == FindingMark::Duty::kFinds && !is_met(mark, marks, findings))
      differences += fmt::format("  missing: {} at {}\n", mark.kind, place(marks, mark));
  }
  for (const execute::RunFinding& finding : findings) {
    if (finding.kind == "note" || is_marked(finding, marks, file)) continue;
    differences += fmt::format("  unexpected: {} at {}:{}, kernel {}, block {} thread {}: {}\n", finding.kind,
                               finding.file, finding.line, finding.kernel, finding.block[0],
                               finding.thread[0], finding.text);
  }
  return differences;
}

}  // namespace cuset::tests
