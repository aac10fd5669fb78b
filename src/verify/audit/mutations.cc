#include "verify/audit/mutations.h"

#include <fmt/format.h>

namespace cuset {

Edit replacement(const MutationSubject& subject, size_t first, size_t last, std::string text) {
  return {subject.code()[first].begin, subject.code()[last - 1].end, std::move(text)};
}

std::string shown(const std::string& text) {
  constexpr size_t kLongest = 60;
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!space) line += c;
    if (space && !line.empty() && line.back() != ' ') line += ' ';
  }
  if (line.size() > kLongest) line.replace(kLongest, line.npos, "...");
  return "`" + line + "`";
}

Mutation replaced(const MutationSubject& subject, size_t first, size_t last, const std::string& text) {
  const std::string before = subject.between(first, last);
  std::string description = text.empty() ? fmt::format("{} was left out", shown(before))
                                         : fmt::format("{} became {}", shown(before), shown(text));
  return {{replacement(subject, first, last, text)}, std::move(description), ""};
}

}  // namespace cuset
