#include "judge/audit/mutation_subject.h"

#include <algorithm>

namespace cuset::judge {
namespace {

bool opens(const cuda_source::Token& token) { return token.is('(') || token.is('[') || token.is('{'); }

bool closes(const cuda_source::Token& token) { return token.is(')') || token.is(']') || token.is('}'); }

// The `>` of the template arguments opened at the `<` i; 0 for a comparison.
size_t angle_end(const cuda_source::Code& code, size_t i) {
  constexpr size_t kLongest = 16;
  if (i == 0 || !code[i].is('<')) return 0;
  for (const auto& [open, close] :
       cuda_source::match_angles(code, i - 1, std::min(code.size() - 1, i + kLongest))) {
    if (open != i) continue;
    const cuda_source::Token& next = code[close + 1];
    const bool follows =
        next.is('(') || next.is(cuda_source::kScope) || next.is('{') || next.is_identifier() || next.is('*');
    return follows ? close : 0;
  }
  return 0;
}

}  // namespace

bool is_whole_number_type(std::string_view type) {
  static constexpr std::string_view kTypes[] = {
      "int",     "unsigned", "long",     "short",     "size_t", "int32_t", "uint32_t",
      "int64_t", "uint64_t", "uint16_t", "ptrdiff_t", "uint",   "ssize_t",
  };
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

MutationSubject::MutationSubject(const std::string& text) : read_(cuda_source::read_source(text)) {
  for (cuda_source::Function& function : cuda_source::find_functions(read_.code, read_.aliases))
    if (function.body != cuda_source::Code::kNone) functions_.push_back(std::move(function));
  launches_ = cuda_source::find_launches(read_.code);
  for (size_t i = 0; i < read_.code.size(); ++i)
    if (const size_t end = angle_end(read_.code, i); end != 0) angles_.insert({i, end});
  for (size_t i = 1; i < read_.code.size(); ++i)
    if (read_.code[i].is('>') && read_.code[i - 1].is('>')) angles_.insert({i - 1, i});
  read_structure();
  read_loops();
  read_declarations();
}

std::string MutationSubject::between(size_t first, size_t last) const {
  if (first >= last) return "";
  const cuda_source::Code& code = read_.code;
  return std::string(code.text().substr(code[first].begin, code[last - 1].end - code[first].begin));
}

void MutationSubject::read_structure() {
  const cuda_source::Code& code = read_.code;
  in_device_.assign(code.size(), false);
  in_loop_.assign(code.size(), false);
  for (const cuda_source::Function& function : functions_)
    std::fill(in_device_.begin() + function.body, in_device_.begin() + function.end, true);
  statement_.resize(code.size());
  bracket_.resize(code.size());
  std::vector<uint32_t> open;
  uint32_t first = 0;
  for (uint32_t i = 0; i < code.size(); ++i) {
    if (closes(code[i]) && !open.empty()) open.pop_back();
    bracket_[i] = open.empty() ? cuda_source::Code::kNone : open.back();
    statement_[i] = first;
    if (opens(code[i])) open.push_back(i);
    if (code[i].is(';') || code[i].is('{') || code[i].is('}')) first = i + 1;
  }
}

void MutationSubject::read_loops() {
  const cuda_source::Code& code = read_.code;
  std::vector<uint32_t> ends;  // of the loops around
  for (uint32_t i = 0; i + 1 < code.size(); ++i) {
    if (!in_device_[i] || raw(i) != "for" || !code[i + 1].is('(') || !code.is_closed(i + 1)) continue;
    Loop loop = read_loop(i);
    if (loop.step == 0) continue;
    while (!ends.empty() && ends.back() <= i) ends.pop_back();
    loop.depth = static_cast<uint32_t>(ends.size());
    ends.push_back(loop.end);
    if (loop.depth == 0) std::fill(in_loop_.begin() + loop.close, in_loop_.begin() + loop.end, true);
    loops_.push_back(loop);
  }
  std::stable_sort(loops_.begin(), loops_.end(),
                   [](const Loop& a, const Loop& b) { return a.depth > b.depth; });
}

// Without a step where the header has not its three parts.
Loop MutationSubject::read_loop(uint32_t keyword) const {
  const cuda_source::Code& code = read_.code;
  Loop loop;
  loop.keyword = keyword;
  loop.first = keyword + 2;
  loop.close = code.match(keyword + 1);
  std::vector<uint32_t> ends;
  for (uint32_t i = loop.first; i < loop.close; ++i) {
    if (code[i].is(';')) ends.push_back(i);
    if (opens(code[i])) i = std::min(code.match(i), loop.close);
  }
  if (ends.size() != 2) return loop;
  loop.condition = ends[0] + 1;
  loop.step = ends[1] + 1;
  loop.end = body_end(loop.close);
  return loop;
}

// The index after the statement that follows the header closed at `close`.
uint32_t MutationSubject::body_end(uint32_t close) const {
  const cuda_source::Code& code = read_.code;
  const auto size = static_cast<uint32_t>(code.size());
  for (uint32_t i = close + 1; i < size; ++i) {
    if (code[i].is(';')) return i + 1;
    if (code[i].is('{')) return std::min(code.match(i) + 1, size);
    if (opens(code[i])) i = std::min(code.match(i), size);
    if (i < size && code[i].is('}')) return i;
  }
  return size;
}

void MutationSubject::read_declarations() {
  const cuda_source::Code& code = read_.code;
  for (const cuda_source::Function& function : functions_)
    for (size_t i = function.parameters; i + 1 < function.end; ++i) {
      const bool floating = raw(i) == "float";
      if (!floating && !is_whole_number_type(raw(i))) continue;
      size_t name = i + 1;
      while (name < function.end && (code[name].is('*') || code[name].is(cuda_source::Keyword::kSpecifier) ||
                                     code[name].is(cuda_source::Keyword::kType)))
        ++name;
      // `int a = 0, b = 1;` declares both; a parameter's comma is followed by a type.
      while (name < function.end && code[name].is_identifier() &&
             code[name].is(cuda_source::Keyword::kNone)) {
        (floating ? floats_ : whole_numbers_).insert(raw(name));
        const size_t end = expression_end(name);
        if (end + 1 >= function.end || !code[end].is(',')) break;
        name = end + 1;
        while (name < function.end && code[name].is('*')) ++name;
        if (name + 1 < function.end && code[name + 1].is_identifier()) break;
      }
    }
}

size_t MutationSubject::expression_end(size_t i) const {
  const cuda_source::Code& code = read_.code;
  for (; i < code.size(); ++i) {
    if (code[i].is(';') || code[i].is(',') || closes(code[i])) return i;
    if (opens(code[i])) i = std::min<size_t>(code.match(i), code.size());
  }
  return code.size();
}

bool MutationSubject::is_in_header(size_t i) const {
  const cuda_source::Code& code = read_.code;
  for (uint32_t open = bracket_[i]; open != cuda_source::Code::kNone && !code[open].is('{');
       open = bracket_[open])
    if (open > 0 && code[open - 1].is(cuda_source::Keyword::kControl)) return true;
  return false;
}

bool MutationSubject::declares_index(size_t first) const {
  const cuda_source::Code& code = read_.code;
  while (first < code.size() && code[first].is(cuda_source::Keyword::kSpecifier)) ++first;
  if (first + 1 >= code.size()) return false;
  const bool pointer = code[first].is_identifier() && code[first + 1].is('*');
  return pointer || is_whole_number_type(raw(first));
}

bool MutationSubject::is_index(size_t i) const {
  const cuda_source::Code& code = read_.code;
  for (uint32_t open = bracket_[i]; open != cuda_source::Code::kNone && !code[open].is('{');
       open = bracket_[open]) {
    if (code[open].is('[')) return true;
    if (code[open].is('(') && open > 0 && raw(open - 1) == "for") return true;
  }
  return declares_index(statement_[i]);
}

bool MutationSubject::is_comparison(size_t i) const {
  const cuda_source::Token& token = read_.code[i];
  return (token.is('<') || token.is('>') || token.is(cuda_source::kCompare)) && !angles_.contains(i);
}

bool MutationSubject::is_binary(size_t i) const {
  const cuda_source::Code& code = read_.code;
  if (i == 0 || i + 1 >= code.size() || i == statement_[i]) return false;
  const cuda_source::Token& before = code[i - 1];
  const bool operand = (before.is_identifier() && (before.is(cuda_source::Keyword::kNone) ||
                                                   before.is(cuda_source::Keyword::kThreadIndex))) ||
                       before.kind == cuda_source::TokenKind::kNumber || before.is(')') || before.is(']');
  if (!operand) return false;
  // `T* x = ...` and `(T*)x` are not products; `(float)-x` is not a difference.
  const bool declares = code[i].is('*') && i == statement_[i] + 1;
  const bool cast = before.is(')') && code.match(i - 1) != cuda_source::Code::kNone &&
                    (code[i - 2].is(cuda_source::Keyword::kType) || code[i - 2].is('*'));
  // `(T*)`, `<T*>` and `<T*, N>` hold types.
  const bool type = code[i + 1].is(')') || code[i + 1].is('>') || code[i + 1].is(',');
  return !declares && !cast && !type;
}

}  // namespace cuset::judge
