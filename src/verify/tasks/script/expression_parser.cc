#include "verify/tasks/script/expression_parser.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

using Kind = Expression::Kind;

// Recursion over the tree stays within the stack.
constexpr int kDeepest = 100;

struct BinaryOperator {
  std::string_view text;
  Operator operation;
  int precedence;
};
constexpr std::array<BinaryOperator, 12> kBinaryOperators = {{
    {"|", Operator::kBitOr, 1},
    {"^", Operator::kBitXor, 2},
    {"&", Operator::kBitAnd, 3},
    {"<<", Operator::kShiftLeft, 4},
    {">>", Operator::kShiftRight, 4},
    {"+", Operator::kAdd, 5},
    {"-", Operator::kSubtract, 5},
    {"*", Operator::kMultiply, 6},
    {"/", Operator::kDivide, 6},
    {"//", Operator::kFloorDivide, 6},
    {"%", Operator::kModulo, 6},
    {"@", Operator::kMatrixMultiply, 6},
}};

constexpr std::array<std::string_view, 26> kKeywords = {
    "and",  "as",     "assert",  "break", "class", "continue", "def",   "del",    "elif",
    "else", "except", "finally", "for",   "from",  "global",   "if",    "import", "in",
    "is",   "lambda", "not",     "or",    "raise", "return",   "while", "with"};

// Counts a level while it lives.
class Level {
 public:
  Level(int& depth, int line) : depth_(depth) {
    if (++depth_ > kDeepest) throw Failure::at_line(line, "nested too deeply");
  }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  int& depth_;
};

}  // namespace

void adopt(Expression& parent, ExpressionPtr child) {
  if (child) {
    parent.depth = std::max(parent.depth, child->depth + 1);
    if (parent.depth > kDeepest) throw Failure::at_line(parent.line, "an expression nested too deeply");
  }
  parent.children.push_back(std::move(child));
}

Symbol SymbolTable::of(const std::string& name) {
  const auto [place, is_new] = numbers_.try_emplace(name, static_cast<Symbol>(names_.size()));
  if (is_new) names_.push_back(name);
  return place->second;
}

void ExpressionParser::fail(std::string_view wanted) const {
  const std::string found = token().kind == Token::Kind::kNewline ? "the end of the line"
                            : token().text.empty()                ? "the end of a block"
                                                                  : in_quotes(token().text, 30);
  throw Failure::at_line(token().line, fmt::format("{} was expected, not {}", wanted, found));
}

bool ExpressionParser::sees(std::string_view text) const {
  return (token().kind == Token::Kind::kOperator || token().kind == Token::Kind::kName) &&
         token().text == text;
}

bool ExpressionParser::accept(std::string_view text) {
  if (!sees(text)) return false;
  ++at_;
  return true;
}

void ExpressionParser::expect(std::string_view text) {
  if (!accept(text)) fail(fmt::format("\"{}\"", text));
}

std::string ExpressionParser::expect_name() {
  if (token().kind != Token::Kind::kName ||
      std::find(kKeywords.begin(), kKeywords.end(), token().text) != kKeywords.end())
    fail("a name");
  return take().text;
}

ExpressionPtr ExpressionParser::node(Kind kind) const {
  auto result = std::make_unique<Expression>();
  result->kind = kind;
  result->line = token().line;
  return result;
}

bool ExpressionParser::ends_expressions() const {
  if (token().kind == Token::Kind::kNewline || token().kind == Token::Kind::kEnd) return true;
  return token().kind == Token::Kind::kOperator &&
         (sees(")") || sees("]") || sees("}") || sees("=") || sees(":") || sees(";"));
}

ExpressionPtr ExpressionParser::parse_expressions() {
  ExpressionPtr first = sees("*") ? parse_index() : parse_expression();
  if (!sees(",")) return first;
  ExpressionPtr tuple = node(Kind::kTuple);
  adopt(*tuple, std::move(first));
  while (accept(",")) {
    if (ends_expressions()) break;
    adopt(*tuple, sees("*") ? parse_index() : parse_expression());
  }
  return tuple;
}

ExpressionPtr ExpressionParser::parse_targets() {
  const auto one = [&] {
    if (!sees("*")) return parse_postfix();
    ExpressionPtr starred = node(Kind::kStarred);
    ++at_;
    adopt(*starred, parse_postfix());
    return starred;
  };
  ExpressionPtr first = one();
  if (!sees(",")) return first;
  ExpressionPtr tuple = node(Kind::kTuple);
  adopt(*tuple, std::move(first));
  while (accept(",")) {
    if (sees("in") || ends_expressions()) break;
    adopt(*tuple, one());
  }
  return tuple;
}

ExpressionPtr ExpressionParser::parse_expression() {
  const Level level(depth_, token().line);
  if (sees("lambda")) return parse_lambda();
  return parse_conditional();
}

ExpressionPtr ExpressionParser::parse_conditional() {
  ExpressionPtr value = parse_or();
  if (!sees("if")) return value;
  ExpressionPtr result = node(Kind::kConditional);
  ++at_;
  adopt(*result, parse_or());
  adopt(*result, std::move(value));
  expect("else");
  adopt(*result, parse_expression());
  return result;
}

ExpressionPtr ExpressionParser::parse_lambda() {
  ExpressionPtr result = node(Kind::kLambda);
  auto function = std::make_shared<FunctionDefinition>();
  function->line = token().line;
  function->text = "lambda";
  expect("lambda");
  parse_parameters(*function, ":", false);
  expect(":");
  auto statement = std::make_unique<Statement>();
  statement->kind = Statement::Kind::kReturn;
  statement->line = token().line;
  statement->value = parse_expression();
  result->depth = statement->value->depth + 1;
  function->body.push_back(std::move(statement));
  result->function = std::move(function);
  return result;
}

void ExpressionParser::parse_parameters(FunctionDefinition& function, std::string_view closing,
                                        bool annotated) {
  while (!sees(closing)) {
    if (accept("/")) {
    } else if (accept("**")) {
      function.keywords = symbol(expect_name());
    } else if (accept("*")) {
      if (!sees(",")) function.rest = symbol(expect_name());
    } else {
      function.parameter_names.push_back(expect_name());
      function.parameters.push_back(symbol(function.parameter_names.back()));
      function.defaults.push_back(nullptr);
    }
    if (annotated && accept(":")) parse_expression();
    if (accept("=")) {
      if (function.defaults.empty()) fail("a parameter");
      function.defaults.back() = parse_expression();
    }
    if (!accept(",") && !sees(closing)) fail(fmt::format("\"{}\"", closing));
  }
}

ExpressionPtr ExpressionParser::parse_or() {
  ExpressionPtr first = parse_and();
  if (!sees("or")) return first;
  ExpressionPtr result = node(Kind::kOr);
  adopt(*result, std::move(first));
  while (accept("or")) adopt(*result, parse_and());
  return result;
}

ExpressionPtr ExpressionParser::parse_and() {
  ExpressionPtr first = parse_not();
  if (!sees("and")) return first;
  ExpressionPtr result = node(Kind::kAnd);
  adopt(*result, std::move(first));
  while (accept("and")) adopt(*result, parse_not());
  return result;
}

ExpressionPtr ExpressionParser::parse_not() {
  if (!sees("not")) return parse_comparison();
  const Level level(depth_, token().line);
  ExpressionPtr result = node(Kind::kUnary);
  result->operators = {Operator::kNot};
  ++at_;
  adopt(*result, parse_not());
  return result;
}

bool ExpressionParser::comparison_operator(Operator& operation) {
  constexpr std::array<std::pair<std::string_view, Operator>, 6> kComparisons = {
      {{"<", Operator::kLess},
       {"<=", Operator::kLessEqual},
       {">", Operator::kGreater},
       {">=", Operator::kGreaterEqual},
       {"==", Operator::kEqual},
       {"!=", Operator::kNotEqual}}};
  for (const auto& [text, meaning] : kComparisons)
    if (accept(text)) return operation = meaning, true;
  if (accept("in")) return operation = Operator::kIn, true;
  if (accept("is")) return operation = accept("not") ? Operator::kIsNot : Operator::kIs, true;
  if (sees("not") && tokens_[at_ + 1].text == "in") {
    at_ += 2;
    return operation = Operator::kNotIn, true;
  }
  return false;
}

ExpressionPtr ExpressionParser::parse_comparison() {
  ExpressionPtr first = parse_binary(1);
  ExpressionPtr result = node(Kind::kCompare);
  Operator operation{};
  while (comparison_operator(operation)) {
    if (first) adopt(*result, std::move(first));
    result->operators.push_back(operation);
    adopt(*result, parse_binary(1));
  }
  return first ? std::move(first) : std::move(result);
}

ExpressionPtr ExpressionParser::parse_binary(int lowest) {
  ExpressionPtr left = parse_unary();
  for (;;) {
    const auto found =
        std::find_if(kBinaryOperators.begin(), kBinaryOperators.end(), [&](const BinaryOperator& each) {
          return each.precedence >= lowest && token().kind == Token::Kind::kOperator &&
                 token().text == each.text;
        });
    if (found == kBinaryOperators.end()) return left;
    ExpressionPtr result = node(Kind::kBinary);
    ++at_;
    result->operators = {found->operation};
    adopt(*result, std::move(left));
    adopt(*result, parse_binary(found->precedence + 1));
    left = std::move(result);
  }
}

ExpressionPtr ExpressionParser::parse_unary() {
  const bool negate = sees("-"), invert = sees("~");
  if (!negate && !invert && !sees("+")) return parse_power();
  const Level level(depth_, token().line);
  ExpressionPtr result = node(Kind::kUnary);
  result->operators = {negate ? Operator::kNegate : invert ? Operator::kInvert : Operator::kPlus};
  ++at_;
  adopt(*result, parse_unary());
  return result;
}

ExpressionPtr ExpressionParser::parse_power() {
  ExpressionPtr base = parse_postfix();
  if (!sees("**")) return base;
  const Level level(depth_, token().line);
  ExpressionPtr result = node(Kind::kBinary);
  ++at_;
  result->operators = {Operator::kPower};
  adopt(*result, std::move(base));
  adopt(*result, parse_unary());
  return result;
}

ExpressionPtr ExpressionParser::parse_postfix() {
  ExpressionPtr result = parse_atom();
  for (;;) {
    if (sees("(")) {
      result = parse_call(std::move(result));
    } else if (sees("[")) {
      result = parse_subscript(std::move(result));
    } else if (sees(".")) {
      ExpressionPtr attribute = node(Kind::kAttribute);
      ++at_;
      attribute->text = expect_name();
      attribute->symbol = symbol(attribute->text);
      adopt(*attribute, std::move(result));
      result = std::move(attribute);
    } else {
      return result;
    }
  }
}

ExpressionPtr ExpressionParser::parse_call(ExpressionPtr callee) {
  ExpressionPtr call = node(Kind::kCall);
  adopt(*call, std::move(callee));
  expect("(");
  while (!accept(")")) {
    if (accept("**")) {
      call->keywords.emplace_back("", parse_expression());
    } else if (token().kind == Token::Kind::kName && tokens_[at_ + 1].kind == Token::Kind::kOperator &&
               tokens_[at_ + 1].text == "=") {
      std::string name = take().text;
      ++at_;
      call->keywords.emplace_back(std::move(name), parse_expression());
    } else {
      ExpressionPtr argument = sees("*") ? parse_index() : parse_expression();
      if (sees("for")) {
        ExpressionPtr comprehension = node(Kind::kComprehension);
        adopt(*comprehension, std::move(argument));
        argument = parse_clauses(std::move(comprehension));
      }
      adopt(*call, std::move(argument));
    }
    if (!accept(",") && !sees(")")) fail("\")\"");
  }
  for (const auto& [name, value] : call->keywords) call->depth = std::max(call->depth, value->depth + 1);
  return call;
}

ExpressionPtr ExpressionParser::parse_subscript(ExpressionPtr base) {
  ExpressionPtr result = node(Kind::kSubscript);
  adopt(*result, std::move(base));
  expect("[");
  ExpressionPtr index = parse_index();
  if (sees(",")) {
    ExpressionPtr tuple = node(Kind::kTuple);
    adopt(*tuple, std::move(index));
    while (accept(",")) {
      if (sees("]")) break;
      adopt(*tuple, parse_index());
    }
    index = std::move(tuple);
  }
  expect("]");
  adopt(*result, std::move(index));
  return result;
}

// A slice, a starred expression or an expression.
ExpressionPtr ExpressionParser::parse_index() {
  if (sees("*")) {
    ExpressionPtr starred = node(Kind::kStarred);
    ++at_;
    adopt(*starred, parse_expression());
    return starred;
  }
  const auto part = [&]() -> ExpressionPtr {
    return sees(":") || sees("]") || sees(",") ? nullptr : parse_expression();
  };
  ExpressionPtr start = part();
  if (!sees(":")) {
    if (!start) fail("an index");
    return start;
  }
  ExpressionPtr slice = node(Kind::kSlice);
  adopt(*slice, std::move(start));
  expect(":");
  adopt(*slice, part());
  adopt(*slice, accept(":") ? part() : nullptr);
  return slice;
}

ExpressionPtr ExpressionParser::parse_atom() {
  const Level level(depth_, token().line);
  if (sees("(")) return parse_parenthesis();
  if (sees("[")) return parse_list();
  if (sees("{")) return parse_braces();
  if (sees("...")) {
    ++at_;
    return node(Kind::kEllipsis);
  }
  if (token().kind == Token::Kind::kString || token().kind == Token::Kind::kFormatted) return parse_strings();
  return parse_number_or_name();
}

ExpressionPtr ExpressionParser::parse_number_or_name() {
  ExpressionPtr result = node(Kind::kName);
  if (token().kind == Token::Kind::kImaginary) {
    take();
    result->kind = Kind::kImaginary;
    return result;
  }
  if (token().kind == Token::Kind::kInteger || token().kind == Token::Kind::kFloat) {
    const Token number = take();
    result->kind = number.kind == Token::Kind::kInteger ? Kind::kInteger : Kind::kFloat;
    result->integer = number.integer;
    result->number = number.number;
    return result;
  }
  result->text = expect_name();
  if (result->text == "None") result->kind = Kind::kNone;
  if (result->text == "True") result->kind = Kind::kTrue;
  if (result->text == "False") result->kind = Kind::kFalse;
  result->symbol = symbol(result->text);
  return result;
}

ExpressionPtr ExpressionParser::parse_parenthesis() {
  expect("(");
  ExpressionPtr tuple = node(Kind::kTuple);
  if (accept(")")) return tuple;
  ExpressionPtr first = sees("*") ? parse_index() : parse_expression();
  if (sees("for")) {
    ExpressionPtr comprehension = node(Kind::kComprehension);
    adopt(*comprehension, std::move(first));
    first = parse_clauses(std::move(comprehension));
  }
  if (accept(")")) return first;
  adopt(*tuple, std::move(first));
  while (accept(",")) {
    if (sees(")")) break;
    adopt(*tuple, sees("*") ? parse_index() : parse_expression());
  }
  expect(")");
  return tuple;
}

ExpressionPtr ExpressionParser::parse_list() {
  ExpressionPtr list = node(Kind::kList);
  expect("[");
  while (!accept("]")) {
    adopt(*list, sees("*") ? parse_index() : parse_expression());
    if (sees("for") && list->children.size() == 1) {
      list->kind = Kind::kComprehension;
      list = parse_clauses(std::move(list));
    }
    if (!accept(",") && !sees("]")) fail("\"]\"");
  }
  return list;
}

ExpressionPtr ExpressionParser::parse_braces() {
  ExpressionPtr result = node(Kind::kDict);
  expect("{");
  while (!accept("}")) {
    adopt(*result, parse_expression());
    if (accept(":"))
      adopt(*result, parse_expression());
    else
      result->kind = Kind::kSet;
    if (sees("for")) {
      result->kind = Kind::kComprehension;
      result = parse_clauses(std::move(result));
    }
    if (!accept(",") && !sees("}")) fail("\"}\"");
  }
  if (result->kind == Kind::kDict && result->children.size() % 2 != 0) fail("\":\"");
  return result;
}

ExpressionPtr ExpressionParser::parse_clauses(ExpressionPtr comprehension) {
  while (accept("for")) {
    Expression::Clause clause;
    clause.target = parse_targets();
    expect("in");
    clause.iterable = parse_or();
    comprehension->depth = std::max(comprehension->depth, clause.iterable->depth + 1);
    while (accept("if")) {
      clause.conditions.push_back(parse_or());
      comprehension->depth = std::max(comprehension->depth, clause.conditions.back()->depth + 1);
    }
    comprehension->clauses.push_back(std::move(clause));
  }
  return comprehension;
}

}  // namespace cuset::script
