// Mutations of accumulators: their precision, their start, their adding up.
#include <fmt/format.h>

#include <algorithm>

#include "judge/audit/mutations.h"

namespace cuset::judge {
namespace {

constexpr const char* kHalfHeader = "#include <cuda_fp16.h>\n";

std::string rounded(const std::string& value) { return fmt::format("__half2float(__float2half({}))", value); }

bool is_name(const cuda_source::Token& token) {
  return token.is_identifier() && token.is(cuda_source::Keyword::kNone);
}

// The name that a store at the `=` or `+=` i goes to: x in `x[...] = `, `*x = `, `x = `, `float x = `.
size_t stored_name(const MutationSubject& subject, size_t i) {
  const cuda_source::Code& code = subject.code();
  size_t last = i - 1;
  while (last > 0 && code[last].is(']') && code.match(last) != cuda_source::Code::kNone)
    last = code.match(last) - 1;
  return is_name(code[last]) ? last : code.size();
}

// Every float that a device function stores or adds up is rounded to half precision.
void round_stores(const MutationSubject& subject, const cuda_source::Function& function, Mutation& mutation) {
  const cuda_source::Code& code = subject.code();
  for (size_t i = function.body + 1; i + 1 < function.end; ++i) {
    const bool adds = subject.raw(i) == "+=";
    if ((!code[i].is('=') && !adds) || subject.is_in_header(i)) continue;
    const size_t name = stored_name(subject, i);
    const size_t end = subject.expression_end(i + 1);
    if (name == code.size() || !subject.is_float(subject.raw(name)) || end <= i + 1 || end >= function.end)
      continue;
    if (code[i + 1].is('{') || subject.statement_first(i) > name) continue;
    // A pointer's own value is an address.
    const bool pointer = name + 1 == i && name > 0 && code[name - 1].is('*') && subject.is_index(i);
    if (pointer) continue;
    const std::string value = subject.between(i + 1, end);
    const std::string target = subject.between(name, i);
    mutation.edits.push_back(
        adds ? replacement(subject, i, end, "= " + rounded(fmt::format("{} + ({})", target, value)))
             : replacement(subject, i + 1, end, rounded(value)));
    i = end;
  }
}

// Whether rounding to half precision may go unseen: numbers come from there or go there, or what is written
// are whole numbers, such as the place of a maximum.
bool hides_rounding(const MutationSubject& subject) {
  const cuda_source::Code& code = subject.code();
  for (const cuda_source::Function& function : subject.functions())
    for (size_t i = function.parameters + 1; function.kernel && i + 1 < function.body; ++i) {
      const bool whole = is_whole_number_type(subject.raw(i)) || subject.raw(i) == "char";
      if (whole && code[i + 1].is('*') && subject.raw(i - 1) != "const") return true;
    }
  return holds(subject, 0, code.size(),
               {"half", "__half", "half2", "__half2", "__half2float", "__float2half"});
}

// Whether `name` is added to, or handed to atomicAdd by address, after token i in its function.
bool is_accumulated(const MutationSubject& subject, size_t i, const cuda_source::Function& function) {
  const std::string_view name = subject.raw(i);
  for (size_t j = i + 1; j + 1 < function.end; ++j)
    if (subject.raw(j) == name && (subject.raw(j + 1) == "+=" || subject.raw(j + 1) == "*=")) return true;
  return false;
}

bool is_zero(std::string_view literal) {
  return literal == "0" || literal == "0.0f" || literal == "0.f" || literal == "0.0" || literal == "0.";
}

// The first token of the statement at i; the header of a loop without braces is none of it.
size_t own_statement(const MutationSubject& subject, size_t i) {
  const size_t first = subject.statement_first(i);
  const uint32_t open = subject.bracket_around(first);
  const bool in_header = subject.is_in_header(first) && subject.code().is_closed(open);
  return in_header ? subject.code().match(open) + 1 : first;
}

// Whether the innermost loop around token i goes on by one, from what no thread chooses, and no condition
// stands between: then what it adds up has several terms.
bool adds_several(const MutationSubject& subject, size_t i) {
  for (const Loop& loop : subject.loops())
    if (loop.close < i && i < loop.end)
      return holds(subject, loop.step, loop.close, {"++"}) && !holds(subject, loop.close, i, {"if"});
  return false;
}

void add_calls_without(const MutationSubject& subject, std::string_view name, Mutations& mutations) {
  const cuda_source::Code& code = subject.code();
  for (size_t i = 0; i + 1 < code.size(); ++i)
    if (subject.raw(i) == name && code[i + 1].is('(') && code.is_closed(i + 1)) {
      mutations.push_back(replaced(subject, i, code.match(i + 1) + 1, "cudaSuccess"));
      mutations.back().description =
          fmt::format("{} was left out", shown(subject.between(i, code.match(i + 1) + 1)));
    }
}

}  // namespace

Mutations half_precision(const MutationSubject& subject) {
  Mutation mutation;
  mutation.certain = !hides_rounding(subject);
  mutation.description = "what device code stores and adds up is rounded to half precision";
  mutation.opening = kHalfHeader;
  for (const cuda_source::Function& function : subject.functions()) round_stores(subject, function, mutation);
  return mutation.edits.empty() ? Mutations() : Mutations{mutation};
}

// The sums of threads first, then memory that the host sets to zero, then elements of shared memory. What
// nobody set may be zero by chance, in registers as in memory.
Mutations uninitialised_accumulator(const MutationSubject& subject) {
  const cuda_source::Code& code = subject.code();
  Mutations mutations;
  Mutations elements;
  for (const cuda_source::Function& function : subject.functions())
    for (size_t i = function.body + 1; i + 2 < function.end; ++i) {
      if (!code[i].is('=') || !is_zero(subject.raw(i + 1)) || subject.is_in_header(i)) continue;
      const bool ends = code[i + 2].is(';') || code[i + 2].is(',');
      const bool declared =
          is_name(code[i - 1]) && (code[i - 2].is(cuda_source::Keyword::kType) || code[i - 2].is(','));
      if (ends && declared && is_accumulated(subject, i - 1, function))
        mutations.push_back(replaced(subject, i, i + 2, ""));
      if (ends && code[i - 1].is(']'))
        elements.push_back(replaced(subject, own_statement(subject, i), i + 2, ""));
    }
  add_calls_without(subject, "cudaMemset", mutations);
  mutations.insert(mutations.end(), elements.begin(), elements.end());
  for (Mutation& mutation : mutations) mutation.certain = false;
  return mutations;
}

Mutations dropped_accumulation(const MutationSubject& subject) {
  const cuda_source::Code& code = subject.code();
  Mutations mutations;
  for (size_t i = 1; i + 1 < code.size(); ++i) {
    if (!subject.is_device_code(i)) continue;
    if (subject.raw(i) == "+=" && subject.is_in_loop(i) && !subject.is_in_header(i)) {
      mutations.push_back(replaced(subject, i - 1, i + 1, std::string(subject.raw(i - 1)) + " ="));
      mutations.back().certain = adds_several(subject, i);
    }
    if (subject.raw(i) != "atomicAdd" || !code[i + 1].is('(') || !code.is_closed(i + 1)) continue;
    const size_t comma = subject.expression_end(i + 2);
    const size_t close = code.match(i + 1);
    if (comma + 1 < close)
      mutations.push_back(replaced(
          subject, i, close + 1,
          fmt::format("(*({}) = ({}))", subject.between(i + 2, comma), subject.between(comma + 1, close))));
  }
  return mutations;
}

}  // namespace cuset::judge
