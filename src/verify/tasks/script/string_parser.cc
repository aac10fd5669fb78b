// String literals, adjacent ones joined, and f-strings, for expression_parser.h.
#include <algorithm>
#include <utility>

#include "verify/tasks/script/expression_parser.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {

using Kind = Expression::Kind;

ExpressionPtr ExpressionParser::parse_strings() {
  ExpressionPtr result = node(Kind::kString);
  for (; token().kind == Token::Kind::kString || token().kind == Token::Kind::kFormatted; ++at_) {
    if (token().kind == Token::Kind::kFormatted || result->kind == Kind::kFormatted) {
      if (result->kind == Kind::kString) {
        ExpressionPtr before = node(Kind::kString);
        before->text = std::move(result->text);
        result = node(Kind::kFormatted);
        adopt(*result, std::move(before));
        result->formats.emplace_back();
      }
      add_formatted(*result, token());
    } else {
      result->text += token().text;
    }
  }
  return result;
}

// "a{b:c}d" -> "a", b with format c, "d".
void ExpressionParser::add_formatted(Expression& result, const Token& from) {
  const std::string& text = from.text;
  std::string plain;
  const auto add_plain = [&] {
    ExpressionPtr part = node(Kind::kString);
    part->text = std::exchange(plain, "");
    adopt(result, std::move(part));
    result.formats.emplace_back();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const bool bracket = from.kind == Token::Kind::kFormatted && (text[i] == '{' || text[i] == '}');
    if (bracket && i + 1 < text.size() && text[i + 1] == text[i])
      ++i;
    else if (bracket && text[i] == '{') {
      add_plain();
      i = add_replacement(result, from, i + 1);
      continue;
    }
    plain += text[i];
  }
  add_plain();
}

// The expression and format from `begin` on; gives the place of the closing bracket.
size_t ExpressionParser::add_replacement(Expression& result, const Token& from, size_t begin) {
  const std::string& text = from.text;
  size_t end = begin, colon = std::string::npos;
  for (int open = 1; open > 0; ++end) {
    if (end >= text.size()) throw Failure::at_line(from.line, "an f-string with an open bracket");
    const char c = text[end];
    open += (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
    const bool conversion = c == '!' && end + 1 < text.size() && text[end + 1] != '=';
    if (open == 1 && colon == std::string::npos && (c == ':' || conversion)) colon = end;
  }
  const size_t stop = std::min(colon, end - 1);
  const std::vector<Token> tokens = tokens_of(std::string_view(text).substr(begin, stop - begin));
  ExpressionParser inner(tokens, symbols_);
  inner.depth_ = depth_;
  adopt(result, inner.parse_expressions());
  const size_t format = text[stop] == '!' ? std::string::npos : colon;
  result.formats.push_back(format == std::string::npos ? "" : text.substr(colon + 1, end - 1 - colon - 1));
  return end - 1;
}

}  // namespace cuset::script
