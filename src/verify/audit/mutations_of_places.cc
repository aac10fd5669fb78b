// Mutations of where something is read, written or counted: bounds, strides, indices, guards.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "verify/audit/mutations.h"

namespace cuset {
namespace {

// The end of the comparison's right side: what joins it to other conditions, or the condition's end.
size_t bound_end(const MutationSubject& subject, size_t comparison) {
  const size_t end = subject.expression_end(comparison + 1);
  for (size_t i = comparison + 1; i < end; ++i) {
    const Token& token = subject.code()[i];
    if (token.is(kLogical) || token.is('?')) return i;
    if (token.is('(') || token.is('[')) i = subject.code().match(i);
  }
  return end;
}

// `i < n` becomes `i < n - 1`, `i >= 0` becomes `i > 0`.
void tighten_bound(const MutationSubject& subject, size_t comparison, Mutations& mutations) {
  const std::string_view sign = subject.raw(comparison);
  const size_t end = bound_end(subject, comparison);
  if (comparison == 0 || end <= comparison + 1) return;
  const std::string bound = subject.between(comparison + 1, end);
  const std::string left(subject.raw(comparison - 1));
  if (sign == ">=" && bound == "0") {
    mutations.push_back(replaced(subject, comparison - 1, end, left + " > 0"));
  } else if ((sign == "<" || sign == "<=" || sign == ">=") && bound != "0") {
    mutations.push_back(
        replaced(subject, comparison - 1, end, fmt::format("{} {} {} - 1", left, sign, bound)));
  }
}

// Whether the condition of tokens [first, last) asks where a thread or an index is.
bool asks_for_place(const MutationSubject& subject, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    if (!subject.is_comparison(i)) continue;
    const size_t left = i - 1;
    if (subject.is_whole_number(subject.raw(left))) return true;
    if (left >= 2 && subject.code()[left - 2].is(Keyword::kThreadIndex)) return true;
  }
  return false;
}

// The `if`s of device code that ask so: token index of the keyword, best first: in loops, then those for one
// thread, then the others, which often let every thread pass.
std::vector<size_t> guards(const MutationSubject& subject) {
  const Code& code = subject.code();
  std::vector<std::pair<int, size_t>> found;
  for (size_t i = 0; i + 1 < code.size(); ++i) {
    if (!subject.is_device_code(i) || subject.raw(i) != "if" || !code[i + 1].is('(') ||
        !code.is_closed(i + 1))
      continue;
    if (!asks_for_place(subject, i + 2, code.match(i + 1))) continue;
    const bool one_thread = subject.between(i + 2, code.match(i + 1)).find("==") != std::string::npos;
    found.emplace_back(subject.is_in_loop(i) ? 0 : one_thread ? 1 : 2, i);
  }
  std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::vector<size_t> keywords;
  for (const auto& [rank, keyword] : found) keywords.push_back(keyword);
  return keywords;
}

// The last factor of a product `a * stride`, at the `*`: a name with members, or a number; 0 where it is
// something else.
size_t factor_end(const MutationSubject& subject, size_t star) {
  const Code& code = subject.code();
  size_t last = star + 1;
  if (last >= code.size()) return 0;
  if (code[last].kind == TokenKind::kNumber) return last + 1;
  if (!code[last].is_identifier() || code[last].is(Keyword::kType)) return 0;
  while (last + 2 < code.size() && code[last + 1].is('.') && code[last + 2].is_identifier()) last += 2;
  const bool called = last + 1 < code.size() && (code[last + 1].is('(') || code[last + 1].is('['));
  return called ? 0 : last + 1;
}

// A thread's number is what is multiplied by a stride, on whichever side it stands.
bool is_thread_number(const MutationSubject& subject, size_t i) {
  return subject.raw(i) == "blockIdx" || subject.raw(i) == "threadIdx";
}

// What the stride becomes: 3 -> 2, N -> (N - 1); empty for 0, 1 and what is no whole number.
std::string smaller_stride(const MutationSubject& subject, size_t first, size_t last) {
  const std::string stride = subject.between(first, last);
  if (subject.code()[first].kind != TokenKind::kNumber) return fmt::format("({} - 1)", stride);
  long value = 0;
  const auto [end, error] = std::from_chars(stride.data(), stride.data() + stride.size(), value);
  const bool whole = error == std::errc() && end == stride.data() + stride.size();
  return whole && value > 1 ? std::to_string(value - 1) : "";
}

void add_halved_bound(const MutationSubject& subject, const Loop& loop, Mutations& mutations) {
  for (size_t i = loop.condition; i + 1 < loop.step; ++i) {
    if (!subject.is_comparison(i)) continue;
    const size_t end = std::min<size_t>(bound_end(subject, i), loop.step - 1);
    const std::string bound = subject.between(i + 1, end);
    if (bound != "0" && i + 1 < end)
      mutations.push_back(replaced(subject, i + 1, end, fmt::format("({}) / 2", bound)));
    return;
  }
}

bool holds(const MutationSubject& subject, size_t first, size_t last,
           std::initializer_list<std::string_view> words) {
  for (size_t i = first; i < last; ++i)
    if (std::find(words.begin(), words.end(), subject.raw(i)) != words.end()) return true;
  return false;
}

// for (s = blockDim.x / 2; s > 0; s >>= 1), and with doubling steps; then shuffles by a number; then sums
// and extrema over a plain loop.
void add_trees(const MutationSubject& subject, Mutations& mutations) {
  for (const Loop& loop : subject.loops()) {
    if (holds(subject, loop.step, loop.close, {"<<=", "*="})) add_halved_bound(subject, loop, mutations);
    if (!holds(subject, loop.step, loop.close, {">>=", "/="})) continue;
    for (size_t i = loop.first; i + 1 < loop.condition; ++i) {
      if (!subject.code()[i].is('=')) continue;
      const std::string start = subject.between(i + 1, loop.condition - 1);
      mutations.push_back(replaced(subject, i + 1, loop.condition - 1, fmt::format("({}) / 2", start)));
      break;
    }
  }
}

void add_shuffles(const MutationSubject& subject, Mutations& mutations) {
  const Code& code = subject.code();
  for (size_t i = 0; i + 1 < code.size(); ++i) {
    if (!subject.raw(i).starts_with("__shfl_") || !code[i + 1].is('(') || !code.is_closed(i + 1)) continue;
    const size_t offset = code.match(i + 1) - 1;
    const std::string smaller = smaller_stride(subject, offset, offset + 1);
    if (code[offset].kind == TokenKind::kNumber && !smaller.empty())
      mutations.push_back(replaced(subject, offset, offset + 1, "1"));
  }
}

// `a * s + b` with names a and b, at the `*`; swaps a and b.
void add_swapped_terms(const MutationSubject& subject, size_t star, Mutations& mutations) {
  const Code& code = subject.code();
  const size_t plus = factor_end(subject, star);
  if (plus == 0 || plus + 2 >= code.size() || star < 2 || !code[plus].is('+')) return;
  const size_t a = star - 1;
  const size_t b = plus + 1;
  const bool names = code[a].is_identifier() && code[a].is(Keyword::kNone) && code[b].is_identifier() &&
                     code[b].is(Keyword::kNone) && subject.raw(a) != subject.raw(b);
  const bool whole = code[a - 1].is('[') || code[a - 1].is('(') || code[a - 1].is('=') || code[a - 1].is('+');
  const bool ends = code[b + 1].is(']') || code[b + 1].is(')') || code[b + 1].is(';') ||
                    code[b + 1].is(',') || code[b + 1].is('+');
  if (!names || !whole || !ends) return;
  mutations.push_back(
      replaced(subject, a, b + 1,
               fmt::format("{} * {} + {}", subject.raw(b), subject.between(star + 1, plus), subject.raw(a))));
}

// x[i][j] becomes x[j][i].
void add_swapped_subscripts(const MutationSubject& subject, size_t open, Mutations& mutations) {
  const Code& code = subject.code();
  const size_t second = code.match(open) + 1;
  if (second >= code.size() || !code[second].is('[') || !code.is_closed(second)) return;
  if (open == 0 || !code[open - 1].is_identifier() || code[second - 2].kind == TokenKind::kNumber) return;
  const size_t end = code.match(second);
  const bool declares =
      open == subject.statement_first(open) + 2 || subject.code()[open - 2].is(Keyword::kType);
  if (declares) return;
  mutations.push_back(replaced(
      subject, open, end + 1,
      fmt::format("[{}][{}]", subject.between(second + 1, end), subject.between(open + 1, second - 1))));
}

}  // namespace

Mutations off_by_one_bound(const MutationSubject& subject) {
  Mutations mutations;
  for (const Loop& loop : subject.loops())
    for (size_t i = loop.condition; i + 1 < loop.step; ++i)
      if (subject.is_comparison(i)) tighten_bound(subject, i, mutations);
  for (const size_t keyword : guards(subject))
    for (size_t i = keyword + 2; i < subject.code().match(keyword + 1); ++i)
      if (subject.is_comparison(i)) tighten_bound(subject, i, mutations);
  return mutations;
}

Mutations wrong_loop_start(const MutationSubject& subject) {
  Mutations mutations;
  for (const Loop& loop : subject.loops())
    for (size_t i = loop.first; i + 2 < loop.condition; ++i)
      if (subject.code()[i].is('=') && i + 3 == loop.condition && subject.raw(i + 1) == "0") {
        mutations.push_back(replaced(subject, i - 1, i + 2, std::string(subject.raw(i - 1)) + " = 1"));
        break;
      }
  return mutations;
}

Mutations wrong_stride(const MutationSubject& subject) {
  const Code& code = subject.code();
  Mutations mutations;
  Mutations of_threads;
  for (size_t i = 0; i + 1 < code.size(); ++i) {
    if (!subject.is_device_code(i) || !code[i].is('*') || !subject.is_binary(i) || !subject.is_index(i))
      continue;
    const size_t end = factor_end(subject, i);
    if (end == 0 || end >= code.size() || code[end].is('*') || is_thread_number(subject, i + 1)) continue;
    const std::string smaller = smaller_stride(subject, i + 1, end);
    if (smaller.empty()) continue;
    Mutations& chosen = code[i + 1].is(Keyword::kThreadIndex) ? of_threads : mutations;
    chosen.push_back(replaced(subject, i + 1, end, smaller));
  }
  mutations.insert(mutations.end(), of_threads.begin(), of_threads.end());
  return mutations;
}

Mutations swapped_index(const MutationSubject& subject) {
  const Code& code = subject.code();
  Mutations mutations;
  Mutations of_threads;
  for (size_t i = 1; i + 4 < code.size(); ++i) {
    if (!subject.is_device_code(i)) continue;
    if (code[i].is('*') && subject.is_binary(i) && subject.is_index(i))
      add_swapped_terms(subject, i, mutations);
    if (code[i].is('[') && code.is_closed(i)) add_swapped_subscripts(subject, i, mutations);
    const bool global_index = subject.raw(i) == "blockIdx" && code[i + 3].is('*') && i + 10 < code.size() &&
                              subject.raw(i + 8) == "threadIdx";
    if (global_index) {
      of_threads.push_back(replaced(subject, i, i + 1, "threadIdx"));
      of_threads.back().edits.push_back(replacement(subject, i + 8, i + 9, "blockIdx"));
      of_threads.back().description = "`blockIdx` and `threadIdx` changed places";
    }
  }
  mutations.insert(mutations.end(), of_threads.begin(), of_threads.end());
  return mutations;
}

Mutations missing_guard(const MutationSubject& subject) {
  const Code& code = subject.code();
  Mutations mutations;
  for (const size_t keyword : guards(subject)) {
    const size_t close = code.match(keyword + 1);
    const size_t body = close + 1 < code.size() && code[close + 1].is('{') ? close + 2 : close + 1;
    const bool leaves = body < code.size() && code[body].is(Keyword::kStatement);
    const std::string condition = subject.between(keyword + 1, close + 1);
    mutations.push_back(replaced(subject, keyword + 2, close, leaves ? "false" : "true"));
    mutations.back().description = fmt::format("the guard {} was left out", shown("if " + condition));
  }
  return mutations;
}

Mutations wrong_reduction_scope(const MutationSubject& subject) {
  Mutations mutations;
  add_trees(subject, mutations);
  add_shuffles(subject, mutations);
  for (const Loop& loop : subject.loops())
    if (holds(subject, loop.close, loop.end, {"+=", "fmaxf", "fminf", "max", "min", "if"}))
      add_halved_bound(subject, loop, mutations);
  return mutations;
}

}  // namespace cuset
