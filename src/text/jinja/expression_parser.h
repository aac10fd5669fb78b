// Expressions of the template language, by recursive descent in Jinja2's order of precedence:
// if-else, or, and, not, comparisons, + -, ~, * / // %, **, unary - +, then . [] () and | is.
#pragma once

#include <string_view>
#include <vector>

#include "text/jinja/ast.h"

namespace cuset::text::jinja {

// The tokens of a template and how far parsing has come.
class TokenCursor {
 public:
  explicit TokenCursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& current() const { return tokens_[position_]; }
  const Token& next() const { return tokens_[std::min(position_ + 1, tokens_.size() - 1)]; }
  Token take() { return tokens_[position_ + 1 < tokens_.size() ? position_++ : position_]; }
  bool skip_op(std::string_view op);
  bool skip_name(std::string_view name);
  Token expect(TokenKind kind, std::string_view wanted);
  void expect_op(std::string_view op);
  [[noreturn]] void refuse(const std::string& message) const {
    throw SyntaxFailure(current().place, message);
  }

 private:
  std::vector<Token> tokens_;
  size_t position_ = 0;
};

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenCursor& tokens) : tokens_(tokens) {}

  ExprPtr parse_expression(bool with_conditional = true);
  // One expression, or several with commas between as a tuple. The tuple may end before the name `end`.
  struct TupleOptions {
    bool with_conditional = true;
    bool in_parentheses = false;
    bool is_target = false;
    bool with_namespace = false;
    std::string_view end = {};
  };
  ExprPtr parse_tuple(const TupleOptions& options);
  // What `set` and `for` assign to; checked to be assignable.
  ExprPtr parse_target(std::string_view end, bool with_namespace);
  // A chain of filters on the value that a set block captures; null if there is none.
  ExprPtr parse_block_filters();

 private:
  ExprPtr parse_or();
  ExprPtr parse_and();
  ExprPtr parse_not();
  ExprPtr parse_compare();
  ExprPtr parse_sum();
  ExprPtr parse_concat();
  ExprPtr parse_product();
  ExprPtr parse_power();
  ExprPtr parse_unary(bool with_filter = true);
  ExprPtr parse_primary(bool with_namespace = false);
  ExprPtr parse_named(bool with_namespace);
  ExprPtr parse_list();
  ExprPtr parse_dict();
  ExprPtr parse_postfix(ExprPtr node);
  ExprPtr parse_filters_and_tests(ExprPtr node);
  ExprPtr parse_attribute(ExprPtr object);
  ExprPtr parse_subscript(ExprPtr object);
  ExprPtr parse_call(ExprPtr callee);
  ExprPtr parse_filter(ExprPtr input);
  ExprPtr parse_test(ExprPtr input);
  void parse_arguments(Expr& node);
  Token parse_dotted_name(std::string_view what);
  void check_target(const Expr& target) const;

  ExprPtr make(ExprKind kind, Place place) const;
  // Adds a child (which may be null) and refuses trees that grow too deep.
  void adopt(Expr& node, ExprPtr child) const;
  ExprPtr pair(ExprKind kind, Place place, ExprPtr left, ExprPtr right) const;

  TokenCursor& tokens_;
  int nesting_ = 0;
};

// A method of Python's str, list or dict that this engine does not have.
bool is_unsupported_method(std::string_view name);

}  // namespace cuset::text::jinja
