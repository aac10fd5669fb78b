#include "execute/build/bracket_check.h"

#include <span>
#include <string>
#include <vector>

#include "cuda_source/lexer.h"

namespace cuset {
namespace {

using Tokens = std::span<const Token>;

char opening_of(const Token& closing) {
  if (closing.is(')')) return '(';
  if (closing.is(']')) return '[';
  return closing.is('}') ? '{' : '\0';
}

// Brackets met so far.
class Nesting {
 public:
  void take(const Token& token) {
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
  while (end < tokens.size() && tokens[end].has(kInDirective) && tokens[end].kind != TokenKind::kHash) ++end;
  return tokens.subspan(1, end - 1);
}

// Whether the directive may give or take brackets: any but includes of the system's headers, macros whose
// brackets match, and those that change nothing in the text.
bool may_change_brackets(std::string_view source, Tokens directive) {
  if (directive.empty()) return false;
  const std::string name = spelling(source, directive[0]);
  if (name == "pragma" || name == "line" || name == "undef") return false;
  if (name == "include") {
    return directive.size() < 2 || directive[1].kind != TokenKind::kHeaderName ||
           !spelling(source, directive[1]).starts_with('<');
  }
  if (name != "define") return true;
  Nesting nesting;
  for (const Token& token : directive) nesting.take(token);
  return !nesting.is_whole();
}

}  // namespace

bool has_unmatched_brackets(std::string_view source) {
  const std::vector<Token> tokens = lex(source);
  Nesting nesting;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool may_be_endless = token.kind == TokenKind::kComment || token.kind == TokenKind::kRawString;
    if (may_be_endless && token.has(kUnterminated)) return true;
    if (token.kind == TokenKind::kHash &&
        may_change_brackets(source, directive_in(Tokens(tokens).subspan(i))))
      return false;
    if (!token.has(kInDirective)) nesting.take(token);
  }
  return !nesting.is_whole();
}

}  // namespace cuset
