// Mutations of what is computed: operators, constants, comparisons, functions, signs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "judge/audit/mutations.h"

namespace cuset::judge {
namespace {

// Whether token i is part of an expression of device code that computes a value.
bool is_value(const MutationSubject& subject, size_t i) {
  return subject.is_device_code(i) && !subject.is_index(i) && !subject.is_in_header(i);
}

std::string_view other_operator(const cuda_source::Token& token) {
  if (token.is('-')) return "+";
  if (token.is('+')) return "-";
  if (token.is('*')) return "+";
  if (token.is('/')) return "*";
  return "";
}

std::string_view opposite(std::string_view comparison) {
  if (comparison == "<") return ">";
  if (comparison == ">") return "<";
  if (comparison == "<=") return ">=";
  if (comparison == ">=") return "<=";
  return "";
}

constexpr std::pair<std::string_view, std::string_view> kExtrema[] = {
    {"fmaxf", "fminf"}, {"fminf", "fmaxf"}, {"fmax", "fmin"},           {"fmin", "fmax"},
    {"max", "min"},     {"min", "max"},     {"atomicMax", "atomicMin"}, {"atomicMin", "atomicMax"},
};

constexpr std::pair<std::string_view, std::string_view> kConfused[] = {
    {"expf", "exp2f"},   {"exp", "exp2"},    {"__expf", "exp2f"}, {"logf", "log2f"}, {"log", "log2"},
    {"log1pf", "logf"},  {"expm1f", "expf"}, {"sqrtf", "rsqrtf"}, {"sqrt", "rsqrt"}, {"rsqrtf", "sqrtf"},
    {"tanhf", "tanf"},   {"tanh", "tan"},    {"sinf", "cosf"},    {"cosf", "sinf"},  {"fabsf", "floorf"},
    {"floorf", "ceilf"}, {"floor", "ceil"},  {"ceilf", "floorf"}, {"erff", "erfcf"}, {"fabs", "floor"},
    {"roundf", "ceilf"},
};

template <size_t N>
std::string_view partner(const std::pair<std::string_view, std::string_view> (&table)[N],
                         std::string_view name) {
  for (const auto& [from, to] : table)
    if (from == name) return to;
  return "";
}

template <size_t N>
void swap_calls(const MutationSubject& subject,
                const std::pair<std::string_view, std::string_view> (&table)[N], Mutations& mutations) {
  const cuda_source::Code& code = subject.code();
  for (size_t i = 0; i + 1 < code.size(); ++i) {
    if (!subject.is_device_code(i) || !code[i].is_identifier() || !code[i + 1].is('(')) continue;
    const std::string_view other = partner(table, subject.raw(i));
    if (!other.empty()) mutations.push_back(replaced(subject, i, i + 1, std::string(other)));
  }
}

// 0.5f becomes 0.6f. Empty for what is not a fraction, and for eps and sentinels, which hardly change a
// result.
std::string wrong_number(std::string_view literal) {
  if (literal.find('.') == std::string_view::npos || literal.starts_with("0x")) return "";
  const double value = std::strtod(std::string(literal).c_str(), nullptr);
  if (value < 0.01 || value > 1000) return "";
  const bool single = literal.ends_with('f') || literal.ends_with('F');
  std::string number = fmt::format("{:g}", value * 1.2);
  if (number.find('.') == std::string::npos) number += ".0";
  return single ? number + "f" : number;
}

// (x - mean) * (x - mean): with one of the signs changed, the sum of all is still that of the squares.
bool is_squared(const MutationSubject& subject, size_t i) {
  const cuda_source::Code& code = subject.code();
  const uint32_t open = subject.bracket_around(i);
  if (open == cuda_source::Code::kNone || open < 2 || !code[open].is('(') || !code.is_closed(open))
    return false;
  const uint32_t close = code.match(open);
  const std::string factor = subject.between(open, close + 1);
  const size_t length = close + 1 - open;
  const auto equals = [&](size_t first) {
    return first + length <= code.size() && subject.between(first, first + length) == factor;
  };
  return (close + 1 < code.size() && code[close + 1].is('*') && equals(close + 2)) ||
         (code[open - 1].is('*') && open > length && equals(open - 1 - length));
}

// Whether another operator at i may give the same: in a square, in the two sides of a window (2 * 2 is
// 2 + 2), in a comparison of places, which guards memory.
bool may_give_the_same(const MutationSubject& subject, size_t i) {
  const cuda_source::Code& code = subject.code();
  const std::string_view left = subject.raw(i - 1);
  const bool same = code[i].is('*') && left == subject.raw(i + 1) && !subject.is_float(left);
  const bool compared = i + 2 < code.size() && subject.is_comparison(i + 2) && subject.is_whole_number(left);
  return same || compared || (code[i].is('-') && is_squared(subject, i));
}

// Whether the number at i is a limit: fminf(x, 255.0f). Few values or none may reach it.
bool is_limit(const MutationSubject& subject, size_t i) {
  const cuda_source::Code& code = subject.code();
  const uint32_t open = subject.bracket_around(i);
  if (open == cuda_source::Code::kNone || open == 0 || partner(kExtrema, subject.raw(open - 1)).empty())
    return false;
  const size_t first = code[i - 1].is('-') ? i - 1 : i;
  const bool alone = code[first - 1].is('(') || code[first - 1].is(',');
  return alone && i + 1 < code.size() && (code[i + 1].is(')') || code[i + 1].is(','));
}

}  // namespace

Mutations swapped_operator(const MutationSubject& subject) {
  const cuda_source::Code& code = subject.code();
  Mutations mutations;
  for (size_t i = 1; i + 1 < code.size(); ++i) {
    const std::string_view other = other_operator(code[i]);
    if (other.empty() || !is_value(subject, i) || !subject.is_binary(i)) continue;
    mutations.push_back(replaced(subject, i - 1, i + 2,
                                 fmt::format("{} {} {}", subject.raw(i - 1), other, subject.raw(i + 1))));
    mutations.back().certain = !may_give_the_same(subject, i);
  }
  return mutations;
}

Mutations wrong_constant(const MutationSubject& subject) {
  const cuda_source::Code& code = subject.code();
  Mutations mutations;
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i].kind != cuda_source::TokenKind::kNumber || !is_value(subject, i)) continue;
    const std::string number = wrong_number(subject.raw(i));
    if (number.empty()) continue;
    mutations.push_back(replaced(subject, i, i + 1, number));
    mutations.back().certain = !is_limit(subject, i);
  }
  return mutations;
}

// In conditional expressions first, then in the `if`s of loops, then in the others.
Mutations wrong_comparison(const MutationSubject& subject) {
  const cuda_source::Code& code = subject.code();
  Mutations mutations;
  swap_calls(subject, kExtrema, mutations);
  Mutations ranked[3];
  for (size_t i = 1; i + 1 < code.size(); ++i) {
    const std::string_view other = opposite(subject.raw(i));
    if (other.empty() || !subject.is_device_code(i) || !subject.is_comparison(i)) continue;
    const uint32_t open = subject.bracket_around(i);
    const bool repeated = open != cuda_source::Code::kNone && open > 0 &&
                          (subject.raw(open - 1) == "for" || subject.raw(open - 1) == "while");
    if (repeated) continue;
    const int rank = !subject.is_in_header(i) ? 0 : subject.is_in_loop(i) ? 1 : 2;
    ranked[rank].push_back(replaced(subject, i - 1, i + 2,
                                    fmt::format("{} {} {}", subject.raw(i - 1), other, subject.raw(i + 1))));
  }
  for (Mutations& part : ranked) mutations.insert(mutations.end(), part.begin(), part.end());
  return mutations;
}

Mutations wrong_function(const MutationSubject& subject) {
  Mutations mutations;
  swap_calls(subject, kConfused, mutations);
  return mutations;
}

Mutations dropped_sign(const MutationSubject& subject) {
  const cuda_source::Code& code = subject.code();
  Mutations mutations;
  for (size_t i = 1; i + 1 < code.size(); ++i)
    if (code[i].is('-') && is_value(subject, i) && !subject.is_binary(i))
      mutations.push_back(replaced(subject, i, i + 2, std::string(subject.raw(i + 1))));
  return mutations;
}

}  // namespace cuset::judge
