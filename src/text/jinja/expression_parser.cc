#include "text/jinja/expression_parser.h"

#include "text/jinja/parser.h"

namespace cuset::text::jinja {
namespace {

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::text:
      return "text";
    case TokenKind::expression_begin:
      return "'{{'";
    case TokenKind::expression_end:
      return "'}}'";
    case TokenKind::tag_begin:
      return "'{%'";
    case TokenKind::tag_end:
      return "'%}'";
    case TokenKind::string:
      return "a string";
    case TokenKind::end:
      return "the end of the template";
    default:
      return "'" + token.text + "'";
  }
}

bool is_comparison(const Token& token) {
  static constexpr std::string_view kOperators[] = {"==", "!=", "<", "<=", ">", ">="};
  return token.kind == TokenKind::op &&
         std::find(std::begin(kOperators), std::end(kOperators), token.text) != std::end(kOperators);
}

bool is_any_op(const Token& token, std::initializer_list<std::string_view> operators) {
  return token.kind == TokenKind::op &&
         std::find(operators.begin(), operators.end(), token.text) != operators.end();
}

// Counts one level of nesting while it lives.
class Nesting {
 public:
  Nesting(int& depth, const TokenCursor& tokens) : depth_(depth) {
    if (++depth_ > kDeepestSyntax) tokens.refuse("the expression nests too deeply");
  }
  ~Nesting() { --depth_; }

 private:
  int& depth_;
};

}  // namespace

bool TokenCursor::skip_op(std::string_view op) {
  if (!current().is_op(op)) return false;
  take();
  return true;
}

bool TokenCursor::skip_name(std::string_view name) {
  if (!current().is_name(name)) return false;
  take();
  return true;
}

Token TokenCursor::expect(TokenKind kind, std::string_view wanted) {
  if (current().kind != kind) refuse(fmt::format("expected {}, found {}", wanted, describe(current())));
  return take();
}

void TokenCursor::expect_op(std::string_view op) {
  if (!skip_op(op)) refuse(fmt::format("expected '{}', found {}", op, describe(current())));
}

ExprPtr ExpressionParser::make(ExprKind kind, Place place) const {
  auto node = std::make_unique<Expr>();
  node->kind = kind;
  node->place = place;
  return node;
}

void ExpressionParser::adopt(Expr& node, ExprPtr child) const {
  if (child != nullptr) node.depth = std::max(node.depth, child->depth + 1);
  if (node.depth > kDeepestSyntax) tokens_.refuse("the expression is too long or nests too deeply");
  node.children.push_back(std::move(child));
}

ExprPtr ExpressionParser::pair(ExprKind kind, Place place, ExprPtr left, ExprPtr right) const {
  ExprPtr node = make(kind, place);
  adopt(*node, std::move(left));
  adopt(*node, std::move(right));
  return node;
}

ExprPtr ExpressionParser::parse_expression(bool with_conditional) {
  const Nesting nesting(nesting_, tokens_);
  ExprPtr value = parse_or();
  while (with_conditional && tokens_.current().is_name("if")) {
    const Place place = tokens_.take().place;
    ExprPtr node = make(ExprKind::conditional, place);
    adopt(*node, parse_or());
    adopt(*node, std::move(value));
    adopt(*node, tokens_.skip_name("else") ? parse_expression() : nullptr);
    value = std::move(node);
  }
  return value;
}

ExprPtr ExpressionParser::parse_or() {
  ExprPtr left = parse_and();
  while (tokens_.current().is_name("or")) {
    const Place place = tokens_.take().place;
    left = pair(ExprKind::logical_or, place, std::move(left), parse_and());
  }
  return left;
}

ExprPtr ExpressionParser::parse_and() {
  ExprPtr left = parse_not();
  while (tokens_.current().is_name("and")) {
    const Place place = tokens_.take().place;
    left = pair(ExprKind::logical_and, place, std::move(left), parse_not());
  }
  return left;
}

ExprPtr ExpressionParser::parse_not() {
  if (!tokens_.current().is_name("not")) return parse_compare();
  const Nesting nesting(nesting_, tokens_);
  ExprPtr node = make(ExprKind::logical_not, tokens_.take().place);
  adopt(*node, parse_not());
  return node;
}

ExprPtr ExpressionParser::parse_compare() {
  ExprPtr first = parse_sum();
  ExprPtr node;
  while (true) {
    const Token& token = tokens_.current();
    const Place place = token.place;
    std::string op;
    if (is_comparison(token)) {
      op = tokens_.take().text;
    } else if (tokens_.skip_name("in")) {
      op = "in";
    } else if (token.is_name("not") && tokens_.next().is_name("in")) {
      tokens_.take();
      tokens_.take();
      op = "not in";
    } else {
      break;
    }
    if (node == nullptr) {
      node = make(ExprKind::compare, place);
      adopt(*node, std::move(first));
    }
    node->operators.push_back(op);
    adopt(*node, parse_sum());
  }
  return node != nullptr ? std::move(node) : std::move(first);
}

ExprPtr ExpressionParser::parse_sum() {
  ExprPtr left = parse_concat();
  while (is_any_op(tokens_.current(), {"+", "-"})) {
    const Token op = tokens_.take();
    left = pair(ExprKind::binary, op.place, std::move(left), parse_concat());
    left->operators = {op.text};
  }
  return left;
}

ExprPtr ExpressionParser::parse_concat() {
  ExprPtr first = parse_product();
  if (!tokens_.current().is_op("~")) return first;
  ExprPtr node = make(ExprKind::concat, tokens_.current().place);
  adopt(*node, std::move(first));
  while (tokens_.skip_op("~")) adopt(*node, parse_product());
  return node;
}

ExprPtr ExpressionParser::parse_product() {
  ExprPtr left = parse_power();
  while (is_any_op(tokens_.current(), {"*", "/", "//", "%"})) {
    const Token op = tokens_.take();
    left = pair(ExprKind::binary, op.place, std::move(left), parse_power());
    left->operators = {op.text};
  }
  return left;
}

ExprPtr ExpressionParser::parse_power() {
  ExprPtr left = parse_unary();
  while (tokens_.current().is_op("**")) {
    const Token op = tokens_.take();
    // Jinja2 reads a ** b ** c from the left, unlike Python.
    left = pair(ExprKind::binary, op.place, std::move(left), parse_unary());
    left->operators = {op.text};
  }
  return left;
}

ExprPtr ExpressionParser::parse_unary(bool with_filter) {
  ExprPtr node;
  if (is_any_op(tokens_.current(), {"-", "+"})) {
    const Nesting nesting(nesting_, tokens_);
    const Token sign = tokens_.take();
    node = make(sign.text == "-" ? ExprKind::negate : ExprKind::plus, sign.place);
    adopt(*node, parse_unary(false));
  } else {
    node = parse_primary();
  }
  node = parse_postfix(std::move(node));
  return with_filter ? parse_filters_and_tests(std::move(node)) : std::move(node);
}

ExprPtr ExpressionParser::parse_named(bool with_namespace) {
  const Token token = tokens_.take();
  ExprPtr node = make(ExprKind::constant, token.place);
  if (token.text == "true" || token.text == "True") {
    node->constant = true;
  } else if (token.text == "false" || token.text == "False") {
    node->constant = false;
  } else if (token.text == "none" || token.text == "None") {
    node->constant = None{};
  } else {
    node->kind = ExprKind::name;
    node->name = token.text;
    if (with_namespace && tokens_.skip_op(".")) {
      node->kind = ExprKind::namespace_ref;
      node->attribute = tokens_.expect(TokenKind::name, "an attribute").text;
    }
  }
  return node;
}

ExprPtr ExpressionParser::parse_primary(bool with_namespace) {
  const Token& token = tokens_.current();
  const Place place = token.place;
  if (token.kind == TokenKind::name) return parse_named(with_namespace);
  if (token.is_op("[")) return parse_list();
  if (token.is_op("{")) return parse_dict();
  if (token.is_op("(")) {
    tokens_.take();
    TupleOptions options;
    options.in_parentheses = true;
    ExprPtr node = parse_tuple(options);
    tokens_.expect_op(")");
    return node;
  }
  ExprPtr node = make(ExprKind::constant, place);
  if (token.kind == TokenKind::string) {
    std::string content;
    while (tokens_.current().kind == TokenKind::string) content += tokens_.take().text;
    node->constant = text_value(content);
  } else if (token.kind == TokenKind::integer) {
    node->constant = tokens_.take().integer;
  } else if (token.kind == TokenKind::real) {
    node->constant = tokens_.take().real;
  } else {
    tokens_.refuse(fmt::format("expected an expression, found {}", describe(token)));
  }
  return node;
}

ExprPtr ExpressionParser::parse_tuple(const TupleOptions& options) {
  const Place place = tokens_.current().place;
  const auto at_end = [&] {
    const Token& token = tokens_.current();
    return token.kind == TokenKind::expression_end || token.kind == TokenKind::tag_end || token.is_op(")") ||
           (!options.end.empty() && token.is_name(options.end));
  };
  ExprPtr tuple = make(ExprKind::tuple, place);
  bool has_comma = false;
  while (!at_end()) {
    adopt(*tuple, options.is_target ? parse_primary(options.with_namespace)
                                    : parse_expression(options.with_conditional));
    if (!tokens_.skip_op(",")) break;
    has_comma = true;
  }
  if (has_comma) return tuple;
  if (!tuple->children.empty()) return std::move(tuple->children[0]);
  if (!options.in_parentheses) {
    tokens_.refuse(fmt::format("expected an expression, found {}", describe(tokens_.current())));
  }
  return tuple;
}

ExprPtr ExpressionParser::parse_list() {
  ExprPtr node = make(ExprKind::list, tokens_.take().place);
  while (!tokens_.current().is_op("]")) {
    if (!node->children.empty()) tokens_.expect_op(",");
    if (tokens_.current().is_op("]")) break;
    adopt(*node, parse_expression());
  }
  tokens_.expect_op("]");
  return node;
}

ExprPtr ExpressionParser::parse_dict() {
  ExprPtr node = make(ExprKind::dict, tokens_.take().place);
  while (!tokens_.current().is_op("}")) {
    if (!node->children.empty()) tokens_.expect_op(",");
    if (tokens_.current().is_op("}")) break;
    adopt(*node, parse_expression());
    tokens_.expect_op(":");
    adopt(*node, parse_expression());
  }
  tokens_.expect_op("}");
  return node;
}

ExprPtr ExpressionParser::parse_postfix(ExprPtr node) {
  while (true) {
    if (tokens_.current().is_op("."))
      node = parse_attribute(std::move(node));
    else if (tokens_.current().is_op("["))
      node = parse_subscript(std::move(node));
    else if (tokens_.current().is_op("("))
      node = parse_call(std::move(node));
    else
      return node;
  }
}

ExprPtr ExpressionParser::parse_filters_and_tests(ExprPtr node) {
  while (true) {
    if (tokens_.current().is_op("|"))
      node = parse_filter(std::move(node));
    else if (tokens_.current().is_name("is"))
      node = parse_test(std::move(node));
    else if (tokens_.current().is_op("("))
      node = parse_call(std::move(node));
    else
      return node;
  }
}

ExprPtr ExpressionParser::parse_attribute(ExprPtr object) {
  const Place place = tokens_.take().place;
  const Token& token = tokens_.current();
  if (token.kind == TokenKind::integer) {
    ExprPtr index = make(ExprKind::constant, token.place);
    index->constant = tokens_.take().integer;
    return pair(ExprKind::subscript, place, std::move(object), std::move(index));
  }
  ExprPtr node = make(ExprKind::attribute, place);
  node->attribute = tokens_.expect(TokenKind::name, "an attribute").text;
  if (node->attribute.starts_with("__")) {
    throw SyntaxFailure(place, fmt::format("attribute '{}' is not supported", node->attribute));
  }
  adopt(*node, std::move(object));
  return node;
}

ExprPtr ExpressionParser::parse_subscript(ExprPtr object) {
  const Place place = tokens_.take().place;
  const auto is_bound_end = [&] { return is_any_op(tokens_.current(), {":", "]", ","}); };
  ExprPtr first = tokens_.current().is_op(":") ? nullptr : parse_expression();
  if (first != nullptr && !tokens_.current().is_op(":")) {
    if (tokens_.current().is_op(",")) tokens_.refuse("a subscript of several parts is not supported");
    tokens_.expect_op("]");
    return pair(ExprKind::subscript, place, std::move(object), std::move(first));
  }
  tokens_.expect_op(":");
  ExprPtr node = make(ExprKind::slice, place);
  adopt(*node, std::move(object));
  adopt(*node, std::move(first));
  adopt(*node, is_bound_end() ? nullptr : parse_expression());
  const bool has_step = tokens_.skip_op(":");
  adopt(*node, !has_step || is_bound_end() ? nullptr : parse_expression());
  tokens_.expect_op("]");
  return node;
}

void ExpressionParser::parse_arguments(Expr& node) {
  const Nesting nesting(nesting_, tokens_);
  tokens_.expect_op("(");
  while (!tokens_.current().is_op(")")) {
    if (is_any_op(tokens_.current(), {"*", "**"})) tokens_.refuse("arguments with * or ** are not supported");
    if (tokens_.current().kind == TokenKind::name && tokens_.next().is_op("=")) {
      std::string name = tokens_.take().text;
      tokens_.take();
      ExprPtr value = parse_expression();
      node.depth = std::max(node.depth, value->depth + 1);
      node.keywords.emplace_back(std::move(name), std::move(value));
    } else {
      if (!node.keywords.empty()) tokens_.refuse("a positional argument follows a keyword argument");
      adopt(node, parse_expression());
    }
    if (tokens_.current().is_op(")")) break;
    tokens_.expect_op(",");
  }
  tokens_.expect_op(")");
  if (node.depth > kDeepestSyntax) tokens_.refuse("the expression is too long or nests too deeply");
}

ExprPtr ExpressionParser::parse_call(ExprPtr callee) {
  if (callee->kind == ExprKind::attribute && is_unsupported_method(callee->attribute)) {
    throw SyntaxFailure(callee->place, fmt::format("method '{}' is not supported", callee->attribute));
  }
  ExprPtr node = make(ExprKind::call, tokens_.current().place);
  adopt(*node, std::move(callee));
  parse_arguments(*node);
  return node;
}

// Names of filters and tests may have dots, though none that is known has.
Token ExpressionParser::parse_dotted_name(std::string_view what) {
  Token name = tokens_.expect(TokenKind::name, what);
  while (tokens_.skip_op(".")) {
    name.text += '.';
    name.text += tokens_.expect(TokenKind::name, what).text;
  }
  return name;
}

ExprPtr ExpressionParser::parse_filter(ExprPtr input) {
  tokens_.expect_op("|");
  const Token name = parse_dotted_name("the name of a filter");
  ExprPtr node = make(ExprKind::filter, name.place);
  node->name = name.text;
  adopt(*node, std::move(input));
  if (tokens_.current().is_op("(")) parse_arguments(*node);
  return node;
}

ExprPtr ExpressionParser::parse_block_filters() {
  ExprPtr node;
  while (tokens_.current().is_op("|")) node = parse_filter(std::move(node));
  return node;
}

ExprPtr ExpressionParser::parse_test(ExprPtr input) {
  tokens_.take();
  const bool negated = tokens_.skip_name("not");
  const Token name = parse_dotted_name("the name of a test");
  ExprPtr node = make(ExprKind::test, name.place);
  node->name = name.text;
  adopt(*node, std::move(input));
  const Token& token = tokens_.current();
  const bool is_operand = token.kind == TokenKind::name || token.kind == TokenKind::string ||
                          token.kind == TokenKind::integer || token.kind == TokenKind::real ||
                          is_any_op(token, {"[", "{"});
  if (token.is_op("(")) {
    parse_arguments(*node);
  } else if (is_operand && !token.is_name("else") && !token.is_name("or") && !token.is_name("and")) {
    if (token.is_name("is")) tokens_.refuse("tests cannot be chained with is");
    adopt(*node, parse_postfix(parse_primary()));
  }
  if (!negated) return node;
  ExprPtr inverse = make(ExprKind::logical_not, name.place);
  adopt(*inverse, std::move(node));
  return inverse;
}

void ExpressionParser::check_target(const Expr& target) const {
  if (target.kind == ExprKind::tuple) {
    for (const ExprPtr& item : target.children) check_target(*item);
  } else if (target.kind != ExprKind::name && target.kind != ExprKind::namespace_ref) {
    throw SyntaxFailure(target.place, "this cannot be assigned to");
  }
}

ExprPtr ExpressionParser::parse_target(std::string_view end, bool with_namespace) {
  TupleOptions options;
  options.is_target = true;
  options.with_namespace = with_namespace;
  options.end = end;
  ExprPtr target = parse_tuple(options);
  check_target(*target);
  return target;
}

}  // namespace cuset::text::jinja
