#include "execute/build/bracket_check.h"

#include <span>
#include <string>
#include <vector>

#include "cuda_source/lexer.h"

namespace cuset::execute {
namespace {

using Tokens = std::span<const cuda_source::Token>;

char opening_of(const cuda_source::Token& closing) {
  if (closing.is(')')) return '(';
  if (closing.is(']')) return '[';
  return closing.is('}') ? '{' : '\0';
}

// Brackets met so far.
class Nesting {
 public:
  void take(const cuda_source::Token& token) {
    if (token.is('(') || token.is('[') || token.is('{'))
      open_.push_back(static_cast<char>(token.punctuation));
    const char opening = opening_of(token);
    if (opening == '\0') return;
    if (open_.empty() || open_.back() != opening) {
      wrong_ = true;
    } else {
      open_.pop_back();
    }
  }

  bool is_whole() const { return !wrong_ && open_.empty(); }

 private:
  std::vector<char> open_;
  bool wrong_ = false;
};

// The tokens of the directive that opens `tokens`, without its hash.
Tokens directive_in(Tokens tokens) {
  size_t end = 1;
  while (end < tokens.size() && tokens[end].has(cuda_source::kInDirective) &&
         tokens[end].kind != cuda_source::TokenKind::kHash)
    ++end;
  return tokens.subspan(1, end - 1);
}

// Whether the directive may give or take brackets: any but includes of the system's headers, macros whose
// brackets match, and those that change nothing in the text.
bool may_change_brackets(std::string_view source, Tokens directive) {
  if (directive.empty()) return false;
  const std::string name = cuda_source::spelling(source, directive[0]);
  if (name == "pragma" || name == "line" || name == "undef") return false;
  if (name == "include") {
    return directive.size() < 2 || directive[1].kind != cuda_source::TokenKind::kHeaderName ||
           !cuda_source::spelling(source, directive[1]).starts_with('<');
  }
  if (name != "define") return true;
  Nesting nesting;
  for (const cuda_source::Token& token : directive) nesting.take(token);
  return !nesting.is_whole();
}

}  // namespace

bool has_unmatched_brackets(std::string_view source) {
  const std::vector<cuda_source::Token> tokens = cuda_source::lex(source);
  Nesting nesting;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const cuda_source::Token& token = tokens[i];
    const bool may_be_endless =
        token.kind == cuda_source::TokenKind::kComment || token.kind == cuda_source::TokenKind::kRawString;
    if (may_be_endless && token.has(cuda_source::kUnterminated)) return true;
    if (token.kind == cuda_source::TokenKind::kHash &&
        may_change_brackets(source, directive_in(Tokens(tokens).subspan(i))))
      return false;
    if (!token.has(cuda_source::kInDirective)) nesting.take(token);
  }
  return !nesting.is_whole();
}

}  // namespace cuset::execute
