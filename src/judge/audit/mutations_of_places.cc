// Mutations of where something is read, written or counted: bounds, strides, indices, guards.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "judge/audit/mutations.h"

namespace cuset::judge {
namespace {

// The end of the comparison's right side: what joins it to other conditions, or the condition's end.
size_t bound_end(const MutationSubject& subject, size_t comparison) {
  const size_t end = subject.expression_end(comparison + 1);
  for (size_t i = comparison + 1; i < end; ++i) {
    const cuda_source::Token& token = subject.code()[i];
    if (token.is(cuda_source::kLogical) || token.is('?')) return i;
    if (token.is('(') || token.is('[')) i = subject.code().match(i);
  }
  return end;
}

// Whether the loop's last step may pass over its bound: it multiplies, or goes on from a number by more than
// one. A thread's own start makes every place somebody's.
bool may_step_over(const MutationSubject& subject, const Loop& loop) {
  const bool from_number = subject.code()[loop.condition - 2].kind == cuda_source::TokenKind::kNumber;
  return holds(subject, loop.step, loop.close, {"*=", "/=", "<<=", ">>="}) ||
         (from_number && holds(subject, loop.step, loop.close, {"+=", "-="}));
}

// Whether the loop looks for an extremum: one term more or less seldom matters.
bool seeks_extremum(const MutationSubject& subject, const Loop& loop) {
  return holds(subject, loop.close, loop.end, {"fmaxf", "fminf", "fmax", "fmin", "max", "min", "if"}) &&
         !holds(subject, loop.close, loop.end, {"+="});
}

// Whether the loop may end early and give the same. A bound that is a quotient counts warps, of which the
// last may be idle.
bool may_end_early(const MutationSubject& subject, const Loop& loop) {
  return may_step_over(subject, loop) || seeks_extremum(subject, loop) ||
         holds(subject, loop.condition, loop.step, {"/"});
}

// Whether the function that holds token i declares the name there in its body.
bool is_local(const MutationSubject& subject, size_t i) {
  for (const cuda_source::Function& function : subject.functions()) {
    if (i < function.body || i >= function.end) continue;
    for (size_t j = function.body + 1; j < i; ++j)
      if (subject.raw(j) == subject.raw(i) && subject.code()[j - 1].is(cuda_source::Keyword::kType))
        return true;
  }
  return false;
}

// Whether what the `if` at `keyword` guards is leaving: return, continue, break.
bool leaves(const MutationSubject& subject, size_t keyword) {
  const cuda_source::Code& code = subject.code();
  const size_t close = code.match(keyword + 1);
  const size_t body = close + 1 < code.size() && code[close + 1].is('{') ? close + 2 : close + 1;
  return body < code.size() && code[body].is(cuda_source::Keyword::kStatement);
}

// Whether a guard that is tightened at `comparison` leaves something undone: it keeps threads from the end of
// an array, not an index from its start, and its bound is none that changes.
bool leaves_work_undone(const MutationSubject& subject, size_t keyword, size_t comparison) {
  if (is_local(subject, comparison + 1)) return false;
  return subject.raw(comparison) == "<" || leaves(subject, keyword);
}

// `i < n` becomes `i < n - 1`, `i >= 0` becomes `i > 0`.
void tighten_bound(const MutationSubject& subject, size_t comparison, bool certain, Mutations& mutations) {
  const std::string_view sign = subject.raw(comparison);
  const size_t end = bound_end(subject, comparison);
  if (comparison == 0 || end <= comparison + 1) return;
  const std::string bound = subject.between(comparison + 1, end);
  const std::string left(subject.raw(comparison - 1));
  if (sign == ">=" && bound == "0") {
    mutations.push_back(replaced(subject, comparison - 1, end, left + " > 0"));
    mutations.back().certain = certain;
  } else if ((sign == "<" || sign == "<=" || sign == ">=") && bound != "0") {
    mutations.push_back(
        replaced(subject, comparison - 1, end, fmt::format("{} {} {} - 1", left, sign, bound)));
    mutations.back().certain = certain;
  }
}

// Whether the condition of tokens [first, last) asks where a thread or an index is.
bool asks_for_place(const MutationSubject& subject, size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    if (!subject.is_comparison(i)) continue;
    const size_t left = i - 1;
    if (subject.is_whole_number(subject.raw(left))) return true;
    if (left >= 2 && subject.code()[left - 2].is(cuda_source::Keyword::kThreadIndex)) return true;
  }
  return false;
}

// The `if`s of device code that ask so: token index of the keyword, best first: in loops, then those for one
// thread, then the others, which often let every thread pass.
std::vector<size_t> guards(const MutationSubject& subject) {
  const cuda_source::Code& code = subject.code();
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

// Whether results are wrong without the guard. Threads beyond the end of the data mostly touch memory that
// nobody looks at; but an index kept between 0 and a length meets its neighbors' data, and a sum that one
// thread alone adds to memory is added by all.
bool keeps_results_apart(const MutationSubject& subject, size_t keyword) {
  const size_t close = subject.code().match(keyword + 1);
  const std::string condition = subject.between(keyword + 2, close);
  const bool both_ends =
      condition.find(">= 0") != std::string::npos && condition.find('<') != std::string::npos;
  const size_t end = subject.expression_end(close + 1);
  const bool adds = condition.ends_with("== 0") && holds(subject, close, end, {"atomicAdd"});
  return both_ends || adds;
}

// The last factor of a product `a * stride`, at the `*`: a name with members, or a number; 0 where it is
// something else.
size_t factor_end(const MutationSubject& subject, size_t star) {
  const cuda_source::Code& code = subject.code();
  size_t last = star + 1;
  if (last >= code.size()) return 0;
  if (code[last].kind == cuda_source::TokenKind::kNumber) return last + 1;
  if (!code[last].is_identifier() || code[last].is(cuda_source::Keyword::kType)) return 0;
  while (last + 2 < code.size() && code[last + 1].is('.') && code[last + 2].is_identifier()) last += 2;
  const bool called = last + 1 < code.size() && (code[last + 1].is('(') || code[last + 1].is('['));
  return called ? 0 : last + 1;
}

// A thread's number is what is multiplied by a stride, on whichever side it stands.
bool is_thread_number(const MutationSubject& subject, size_t i) {
  return subject.raw(i) == "blockIdx" || subject.raw(i) == "threadIdx";
}

// Whether the stride at i tells threads their part. With a smaller one parts overlap, and still reach
// everything where the last block has threads to spare.
bool shares_work(const MutationSubject& subject, size_t i) {
  return subject.is_in_header(i) || holds(subject, subject.statement_first(i), subject.expression_end(i),
                                          {"blockIdx", "threadIdx", "blockDim", "gridDim"});
}

// What the stride becomes: 3 -> 2, N -> (N - 1); empty for 0, 1 and what is no whole number.
std::string smaller_stride(const MutationSubject& subject, size_t first, size_t last) {
  const std::string stride = subject.between(first, last);
  if (subject.code()[first].kind != cuda_source::TokenKind::kNumber) return fmt::format("({} - 1)", stride);
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
    if (bound != "0" && i + 1 < end) {
      mutations.push_back(replaced(subject, i + 1, end, fmt::format("({}) / 2", bound)));
      mutations.back().certain = !may_end_early(subject, loop);
    }
    return;
  }
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
      mutations.back().certain = false;  // the upper half may have had nothing to do
      break;
    }
  }
}

void add_shuffles(const MutationSubject& subject, Mutations& mutations) {
  const cuda_source::Code& code = subject.code();
  for (size_t i = 0; i + 1 < code.size(); ++i) {
    if (!subject.raw(i).starts_with("__shfl_") || !code[i + 1].is('(') || !code.is_closed(i + 1)) continue;
    const size_t offset = code.match(i + 1) - 1;
    const std::string smaller = smaller_stride(subject, offset, offset + 1);
    if (code[offset].kind == cuda_source::TokenKind::kNumber && !smaller.empty())
      mutations.push_back(replaced(subject, offset, offset + 1, "1"));
  }
}

// `a * s + b` with names a and b, at the `*`; swaps a and b.
void add_swapped_terms(const MutationSubject& subject, size_t star, Mutations& mutations) {
  const cuda_source::Code& code = subject.code();
  const size_t plus = factor_end(subject, star);
  if (plus == 0 || plus + 2 >= code.size() || star < 2 || !code[plus].is('+')) return;
  const size_t a = star - 1;
  const size_t b = plus + 1;
  const bool names = code[a].is_identifier() && code[a].is(cuda_source::Keyword::kNone) &&
                     code[b].is_identifier() && code[b].is(cuda_source::Keyword::kNone) &&
                     subject.raw(a) != subject.raw(b);
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
  const cuda_source::Code& code = subject.code();
  const size_t second = code.match(open) + 1;
  if (second >= code.size() || !code[second].is('[') || !code.is_closed(second)) return;
  if (open == 0 || !code[open - 1].is_identifier() ||
      code[second - 2].kind == cuda_source::TokenKind::kNumber)
    return;
  const size_t end = code.match(second);
  const bool declares =
      open == subject.statement_first(open) + 2 || subject.code()[open - 2].is(cuda_source::Keyword::kType);
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
      if (subject.is_comparison(i)) tighten_bound(subject, i, !may_end_early(subject, loop), mutations);
  for (const size_t keyword : guards(subject))
    for (size_t i = keyword + 2; i < subject.code().match(keyword + 1); ++i)
      if (subject.is_comparison(i))
        tighten_bound(subject, i, leaves_work_undone(subject, keyword, i), mutations);
  return mutations;
}

Mutations wrong_loop_start(const MutationSubject& subject) {
  Mutations mutations;
  for (const Loop& loop : subject.loops())
    for (size_t i = loop.first; i + 2 < loop.condition; ++i)
      if (subject.code()[i].is('=') && i + 3 == loop.condition && subject.raw(i + 1) == "0") {
        mutations.push_back(replaced(subject, i - 1, i + 2, std::string(subject.raw(i - 1)) + " = 1"));
        mutations.back().certain = !seeks_extremum(subject, loop);
        break;
      }
  return mutations;
}

Mutations wrong_stride(const MutationSubject& subject) {
  const cuda_source::Code& code = subject.code();
  Mutations mutations;
  Mutations of_threads;
  for (size_t i = 0; i + 1 < code.size(); ++i) {
    if (!subject.is_device_code(i) || !code[i].is('*') || !subject.is_binary(i) || !subject.is_index(i))
      continue;
    const size_t end = factor_end(subject, i);
    if (end == 0 || end >= code.size() || code[end].is('*') || is_thread_number(subject, i + 1)) continue;
    const std::string smaller = smaller_stride(subject, i + 1, end);
    if (smaller.empty()) continue;
    Mutations& chosen = code[i + 1].is(cuda_source::Keyword::kThreadIndex) ? of_threads : mutations;
    chosen.push_back(replaced(subject, i + 1, end, smaller));
    chosen.back().certain = !shares_work(subject, i);
  }
  mutations.insert(mutations.end(), of_threads.begin(), of_threads.end());
  return mutations;
}

Mutations swapped_index(const MutationSubject& subject) {
  const cuda_source::Code& code = subject.code();
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
  const cuda_source::Code& code = subject.code();
  Mutations mutations;
  for (const size_t keyword : guards(subject)) {
    const size_t close = code.match(keyword + 1);
    const std::string condition = subject.between(keyword + 1, close + 1);
    mutations.push_back(replaced(subject, keyword + 2, close, leaves(subject, keyword) ? "false" : "true"));
    mutations.back().certain = keeps_results_apart(subject, keyword);
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

}  // namespace cuset::judge
