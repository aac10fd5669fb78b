// Expressions by precedence climbing, over the tokens of a script.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "verify/tasks/script/lexer.h"
#include "verify/tasks/script/syntax.h"

namespace cuset::script {

// Numbers for names, shared by all parsers of one script.
class SymbolTable {
 public:
  Symbol of(const std::string& name);
  std::vector<std::string> take_names() { return std::move(names_); }

 private:
  std::unordered_map<std::string, Symbol> numbers_;
  std::vector<std::string> names_;
};

// Appends a child. Throws Failure where the tree gets too deep for recursion over it.
void adopt(Expression& parent, ExpressionPtr child);

class ExpressionParser {
 public:
  // Both must outlive the parser. `tokens` ends with kEnd.
  ExpressionParser(std::span<const Token> tokens, SymbolTable& symbols)
      : tokens_(tokens), symbols_(symbols) {}

  // What may stand right of "=": expressions with commas between them are a tuple.
  ExpressionPtr parse_expressions();
  ExpressionPtr parse_expression();
  // Names, attributes, subscripts, and tuples of them: what may stand left of "=" or after "for".
  ExpressionPtr parse_targets();

 protected:
  [[noreturn]] void fail(std::string_view wanted) const;
  const Token& token() const { return tokens_[at_]; }
  bool sees(std::string_view text) const;  // an operator or keyword
  bool accept(std::string_view text);
  void expect(std::string_view text);
  std::string expect_name();
  Token take() { return tokens_[token().kind == Token::Kind::kEnd ? at_ : at_++]; }
  Symbol symbol(const std::string& name) { return symbols_.of(name); }
  // A name, call, attribute or subscript.
  ExpressionPtr parse_postfix();
  // Parameters up to (not with) `closing`, into `function`.
  void parse_parameters(FunctionDefinition& function, std::string_view closing, bool annotated);

  size_t at_ = 0;
  std::span<const Token> tokens_;
  SymbolTable& symbols_;
  int depth_ = 0;  // of blocks and brackets

 private:
  ExpressionPtr node(Expression::Kind kind) const;
  ExpressionPtr parse_conditional();
  ExpressionPtr parse_lambda();
  ExpressionPtr parse_or();
  ExpressionPtr parse_and();
  ExpressionPtr parse_not();
  ExpressionPtr parse_comparison();
  ExpressionPtr parse_binary(int lowest);
  ExpressionPtr parse_unary();
  ExpressionPtr parse_power();
  ExpressionPtr parse_call(ExpressionPtr callee);
  ExpressionPtr parse_subscript(ExpressionPtr base);
  ExpressionPtr parse_index();
  ExpressionPtr parse_atom();
  ExpressionPtr parse_number_or_name();
  ExpressionPtr parse_strings();
  void add_formatted(Expression& result, const Token& from);
  size_t add_replacement(Expression& result, const Token& from, size_t begin);
  ExpressionPtr parse_parenthesis();
  ExpressionPtr parse_list();
  ExpressionPtr parse_braces();
  ExpressionPtr parse_clauses(ExpressionPtr comprehension);
  bool comparison_operator(Operator& operation);
  bool ends_expressions() const;
};

}  // namespace cuset::script
