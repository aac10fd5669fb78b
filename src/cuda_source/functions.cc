#include "cuda_source/functions.h"

#include <algorithm>

namespace cuset::cuda_source {
namespace {

// A head with more tokens than this is taken for no function; it bounds the work on hostile input, where many
// heads in many conditional branches share one tail.
constexpr size_t kLongestHead = 4096;

bool is_qualifier(const Token& token) { return token.is(Keyword::kGlobal) || token.is(Keyword::kDevice); }

// Reads one declaration from its qualifier to the brace of its body or to the point where it proves to be
// none.
class DeclarationReader {
 public:
  DeclarationReader(const Code& code, const std::unordered_map<std::string, Alias>& aliases, size_t qualifier)
      : code_(code), aliases_(aliases), start_(qualifier) {}

  // Afterwards next_search() is where the search for the next qualifier continues.
  std::optional<Function> run() {
    kernel_ = code_[start_].is(Keyword::kGlobal);
    last_qualifier_ = start_;
    at_ = code_.next(start_);
    read_alias_arguments();
    while (at_ < code_.size()) {
      if (++steps_ > kLongestHead) return std::nullopt;
      if (!step()) return body_ == Code::kNone ? std::nullopt : std::optional(finish());
    }
    if (!has_name_ || done_) return std::nullopt;
    return finish();
  }

  size_t next_search() const { return last_qualifier_ + 1; }

 private:
  // `KERNEL(name, ...)` where KERNEL is an alias with parameters.
  void read_alias_arguments() {
    if (aliases_.empty() || at_ >= code_.size() || !code_[at_].is('(')) return;
    const auto alias = aliases_.find(code_.spelled(start_));
    if (alias == aliases_.end() || !alias->second.function_like) return;
    uint32_t first = static_cast<uint32_t>(at_ + 1);
    if (first < code_.size() && code_[first].is_identifier())
      set_name(first, first, static_cast<uint32_t>(at_));
    at_ = code_.after_group(at_);
    if (has_name_ && at_ < code_.size() && code_[at_].is('(')) {
      parameters_ = static_cast<uint32_t>(at_);
      at_ = code_.after_group(at_);
    }
  }

  void set_name(uint32_t first, uint32_t last, uint32_t parameters) {
    has_name_ = true;
    name_first_ = first;
    name_last_ = last;
    parameters_ = parameters;
  }

  // One token or group. False ends the declaration; body_ tells whether with a body.
  bool step() {
    const Token& token = code_[at_];
    if (token.is_identifier()) return read_word();
    if (token.is('{')) return read_brace();
    if (token.is('(')) return read_parentheses();
    if (token.is('[')) return skip_square();
    if (token.is('<')) return skip_angles();
    if (token.is(kArrow)) trailing_ = true;
    if (token.is(':') && has_name_) trailing_ = initializers_ = true;
    const bool ends = token.is(';') || token.is('}') || token.is(')') || token.is(']') || token.is('=') ||
                      (token.is(',') && !initializers_);
    return ends ? give_up() : go(code_.next(at_));
  }

  // An attribute, which may stand between a name and its parameters.
  bool skip_square() {
    const size_t after = code_.after_group(at_);
    if (after_word_ == at_) after_word_ = after;
    return go(after);
  }

  bool go(size_t to) {
    at_ = to;
    return true;
  }

  bool give_up() {
    done_ = true;
    return false;
  }

  bool read_word() {
    const Token& token = code_[at_];
    if (is_qualifier(token)) {
      if (has_name_) return give_up();
      kernel_ |= token.is(Keyword::kGlobal);
      last_qualifier_ = std::max(last_qualifier_, at_);
    } else if (token.is(Keyword::kOperator) && !trailing_) {
      return read_operator();
    } else if (token.is(Keyword::kAttribute) || token.is(Keyword::kNoexcept)) {
      const size_t group = code_.next(at_);
      return go(group < code_.size() && code_[group].is('(') ? code_.after_group(group) : group);
    } else if (token.is(Keyword::kRequires)) {
      requires_braces_ += trailing_ ? 1 : 0;
      trailing_ = true;
    } else if (token.is(Keyword::kNone)) {
      word_ = static_cast<uint32_t>(at_);
      after_word_ = code_.next(at_);
    }
    return go(code_.next(at_));
  }

  bool read_operator() {
    const auto first = static_cast<uint32_t>(at_);
    size_t i = code_.next(at_);
    if (i < code_.size() && code_[i].is('(') && code_.match(i) == i + 1) i = code_.after_group(i);
    while (i < code_.size() && !code_[i].is('(')) {
      if (code_[i].is(';') || code_[i].is('{') || code_[i].is('}') || ++steps_ > kLongestHead) {
        return give_up();
      }
      i = code_.next(i);
    }
    if (i >= code_.size()) return go(i);
    set_name(first, static_cast<uint32_t>(i - 1), static_cast<uint32_t>(i));
    return go(code_.after_group(i));
  }

  bool read_parentheses() {
    const auto group = static_cast<uint32_t>(at_);
    at_ = code_.after_group(group);
    if (trailing_) return true;
    const bool second = at_ < code_.size() && code_[at_].is('(');
    if (after_word_ == group) {
      // NAME(add)(parameters): the first group belongs to the name.
      set_name(word_, second ? code_.match(group) : word_, second ? static_cast<uint32_t>(at_) : group);
      if (second) at_ = code_.after_group(parameters_);
    } else if (second && group + 1 < code_.size() && code_[group + 1].is_identifier()) {
      set_name(group + 1, group + 1, static_cast<uint32_t>(at_));
      at_ = code_.after_group(parameters_);
    }
    return true;
  }

  // Template arguments: to the matching `>`, or over this `<` alone if there is none in the declaration.
  bool skip_angles() {
    size_t depth = 0;
    for (size_t i = at_; i < code_.size(); i = step_in_angles(i)) {
      const Token& token = code_[i];
      if (token.is('<')) ++depth;
      if (token.is('>') && --depth == 0) {
        const size_t after = code_.next(i);
        if (after_word_ == at_) after_word_ = after;
        return go(after);
      }
      if (token.is(';') || token.is('}') || is_qualifier(token) || ++steps_ > kLongestHead) {
        return give_up();
      }
    }
    return go(code_.size());
  }

  size_t step_in_angles(size_t i) const {
    const bool group = code_[i].is('(') || code_[i].is('[') || code_[i].is('{');
    return group ? code_.after_group(i) : code_.next(i);
  }

  bool read_brace() {
    if (!has_name_) return give_up();
    if (requires_braces_ > 0) {
      --requires_braces_;
      return go(code_.after_group(at_));
    }
    const Token& before = code_[at_ - 1];
    if (initializers_ && (before.is_identifier() || before.is('>'))) return go(code_.after_group(at_));
    body_ = static_cast<uint32_t>(at_);
    return false;
  }

  Function finish() const {
    Function function;
    function.kernel = kernel_;
    function.qualifier = static_cast<uint32_t>(start_);
    function.name_first = name_first_;
    for (uint32_t i = name_first_; i > 1 && code_[i - 1].is(kPaste) && i - 2 > start_; i -= 2) {
      function.name_first = i - 2;
    }
    for (uint32_t i = function.name_first; i <= name_last_ && i < code_.size(); ++i)
      function.name += code_.spelled(i);
    function.parameters = parameters_;
    function.body = body_;
    function.signature = {code_[function.name_first].begin, code_.group_end_offset(parameters_)};
    if (body_ == Code::kNone) {
      function.end = static_cast<uint32_t>(code_.size());
      function.body_bytes = {code_.end_offset(), code_.end_offset()};
    } else {
      function.end = std::min(code_.match(body_) + 1, static_cast<uint32_t>(code_.size()));
      function.body_bytes = {code_[body_].begin, code_.group_end_offset(body_)};
    }
    return function;
  }

  const Code& code_;
  const std::unordered_map<std::string, Alias>& aliases_;
  size_t start_;
  size_t at_ = 0;
  bool kernel_ = false;
  bool has_name_ = false;
  bool done_ = false;
  bool trailing_ = false;      // after `->`, `requires` or `:`: no name can follow
  bool initializers_ = false;  // after a constructor's `:`
  int requires_braces_ = 0;    // bodies of requires-expressions still to come
  uint32_t name_first_ = 0;
  uint32_t name_last_ = 0;
  uint32_t parameters_ = 0;
  uint32_t body_ = Code::kNone;
  uint32_t word_ = 0;          // the last plain identifier
  size_t after_word_ = 0;      // the token after it and its template arguments
  size_t last_qualifier_ = 0;  // of this declaration
  size_t steps_ = 0;
};

// The index after the last `;` or brace before `qualifier`, where its declaration starts.
uint32_t declaration_start(const Code& code, uint32_t qualifier) {
  uint32_t first = qualifier;
  while (first > 0 && qualifier - first < kLongestHead) {
    const Token& before = code[first - 1];
    if (before.is(';') || before.is('{') || before.is('}')) break;
    --first;
  }
  return first;
}

// A kernel inside a kernel's body means that a brace is missing.
void cut_at_next_kernel(const Code& code, std::vector<Function>& functions) {
  Function* open = nullptr;
  for (Function& function : functions) {
    if (!function.kernel) continue;
    if (open != nullptr && function.qualifier < open->end &&
        code.same_branch(function.qualifier, open->body)) {
      open->end = std::max(declaration_start(code, function.qualifier), open->body + 1);
      open->body_bytes.end = code[open->end - 1].end;
    }
    if (function.body != Code::kNone) open = &function;
  }
}

}  // namespace

std::vector<Function> find_functions(const Code& code,
                                     const std::unordered_map<std::string, Alias>& aliases) {
  std::vector<Function> functions;
  for (size_t i = 0; i < code.size();) {
    if (!is_qualifier(code[i])) {
      ++i;
      continue;
    }
    DeclarationReader reader(code, aliases, i);
    if (auto function = reader.run()) functions.push_back(std::move(*function));
    i = reader.next_search();
  }
  cut_at_next_kernel(code, functions);
  return functions;
}

std::vector<std::pair<uint32_t, uint32_t>> match_angles(const Code& code, size_t first, size_t last) {
  std::vector<std::pair<uint32_t, uint32_t>> lists;
  std::vector<uint32_t> open;
  for (size_t i = first; i < last; ++i) {
    const Token& token = code[i];
    if (token.is('(') || token.is('[') || token.is('{')) {
      if (code.match(i) >= last) break;
      i = code.match(i);
    } else if (token.is('<') && i > first && code[i - 1].is_identifier()) {
      open.push_back(static_cast<uint32_t>(i));
    } else if (token.is('>') && !open.empty()) {
      lists.emplace_back(open.back(), i);
      open.pop_back();
    } else if (token.is('?') || token.is(';') || token.is(kLogical)) {
      open.clear();  // those `<` were comparisons
    }
  }
  std::sort(lists.begin(), lists.end());
  return lists;
}

}  // namespace cuset::cuda_source
