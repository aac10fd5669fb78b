#include "judge/audit/mutations.h"

#include <fmt/format.h>

#include <algorithm>

namespace cuset::judge {
namespace {

bool takes_exponential(const MutationSubject& subject, size_t first, size_t last) {
  return holds(subject, first, last, {"expf", "exp", "__expf", "exp2f"});
}

// Of tokens [first, last): a maximum is taken, and neither exponentials nor sums.
bool takes_only_maximum(const MutationSubject& subject, size_t first, size_t last) {
  return holds(subject, first, last, {"fmaxf", "fmax", "max"}) && !takes_exponential(subject, first, last) &&
         !holds(subject, first, last, {"+="});
}

bool is_maximum(const MutationSubject& subject, size_t i) {
  if (takes_only_maximum(subject, subject.statement_first(i), subject.expression_end(i))) return true;
  for (const Loop& loop : subject.loops())
    if (loop.keyword <= i && i < loop.end && takes_only_maximum(subject, loop.close, loop.end)) return true;
  for (const cuda_source::Function& function : subject.functions())
    if (function.body <= i && i < function.end && takes_only_maximum(subject, function.body, function.end))
      return true;
  return false;
}

}  // namespace

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

Mutation doubtful(Mutation mutation) {
  mutation.certain = false;
  return mutation;
}

bool holds(const MutationSubject& subject, size_t first, size_t last,
           std::initializer_list<std::string_view> words) {
  for (size_t i = first; i < last; ++i)
    if (std::find(words.begin(), words.end(), subject.raw(i)) != words.end()) return true;
  return false;
}

bool concerns_shift(const MutationSubject& subject, const Mutation& mutation) {
  const cuda_source::Code& code = subject.code();
  bool exponential = false;
  for (size_t i = 0; i < code.size() && !exponential; ++i)
    exponential = subject.is_device_code(i) && takes_exponential(subject, i, i + 1);
  if (!exponential || mutation.edits.size() != 1) return false;
  const size_t place = mutation.edits.front().begin;
  for (size_t i = 0; i < code.size(); ++i)
    if (code[i].end > place) return subject.is_device_code(i) && is_maximum(subject, i);
  return false;
}

Mutation replaced(const MutationSubject& subject, size_t first, size_t last, const std::string& text) {
  const std::string before = subject.between(first, last);
  std::string description = text.empty() ? fmt::format("{} was left out", shown(before))
                                         : fmt::format("{} became {}", shown(before), shown(text));
  return {{replacement(subject, first, last, text)}, std::move(description), ""};
}

}  // namespace cuset::judge
