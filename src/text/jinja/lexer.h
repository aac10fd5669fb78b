// Splits a template into text and the tokens of {{ expressions }} and {% tags %}, exactly as Jinja2 does with
// trim_blocks and lstrip_blocks on:
// - the newline right after a tag or comment is dropped, unless it ends in "+%}";
// - blanks between the start of a line and a tag or comment are dropped, unless it begins with "{%+";
// - "-" beside a delimiter drops all whitespace on that side;
// - one newline at the end of the template is dropped; "\r\n" and "\r" count as "\n".
// Comments vanish and raw blocks become text here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/jinja/value.h"

namespace cuset::text::jinja {

enum class TokenKind {
  text,
  expression_begin,
  expression_end,
  tag_begin,
  tag_end,
  name,
  string,
  integer,
  real,
  op,
  end,
};

// A place in the template, counted from 1; columns are in bytes.
struct Place {
  uint32_t line = 1;
  uint32_t column = 1;
};

struct Token {
  TokenKind kind = TokenKind::end;
  Place place;
  // The text, the name, the operator, or the string's content.
  std::string text;
  int64_t integer = 0;
  double real = 0;

  bool is_op(std::string_view what) const { return kind == TokenKind::op && text == what; }
  bool is_name(std::string_view what) const { return kind == TokenKind::name && text == what; }
};

// A template that cannot be loaded. The caller turns it into an Error that names the file.
class SyntaxFailure : public Failure {
 public:
  SyntaxFailure(Place where, const std::string& message) : Failure(message), place(where) {}
  Place place;
};

// All tokens; the last is TokenKind::end. Throws SyntaxFailure.
std::vector<Token> tokenize_template(std::string_view source);

}  // namespace cuset::text::jinja
