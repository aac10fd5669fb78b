#include "verify/tasks/script/parser.h"

#include <array>

#include "verify/tasks/script/expression_parser.h"
#include "verify/tasks/script/failure.h"

namespace cuset::script {
namespace {

using Kind = Statement::Kind;

class Parser : public ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  Block parse_all() {
    Block body;
    while (token().kind != Token::Kind::kEnd) parse_line(body);
    return body;
  }

 private:
  StatementPtr statement(Kind kind) const {
    auto result = std::make_unique<Statement>();
    result->kind = kind;
    result->line = token().line;
    return result;
  }

  void parse_line(Block& body) {
    if (token().kind == Token::Kind::kIndent) fail("a statement");
    if (token().kind == Token::Kind::kNewline) {
      take();
      return;
    }
    if (accept("@")) {
      parse_expression();
      take();
      return;
    }
    if (StatementPtr compound = parse_compound()) {
      body.push_back(std::move(compound));
      return;
    }
    do {
      if (token().kind == Token::Kind::kNewline) break;
      body.push_back(parse_simple());
    } while (accept(";"));
    if (token().kind == Token::Kind::kEnd) return;
    if (take().kind != Token::Kind::kNewline) {
      --at_;
      fail("the end of the line");
    }
  }

  Block parse_block() {
    if (++depth_ > 40) throw Failure::at_line(token().line, "blocks nested too deeply");
    Block body;
    expect(":");
    if (token().kind != Token::Kind::kNewline) {
      parse_line(body);
    } else {
      take();
      if (take().kind != Token::Kind::kIndent) {
        --at_;
        fail("an indented block");
      }
      while (token().kind != Token::Kind::kDedent && token().kind != Token::Kind::kEnd) parse_line(body);
      take();
    }
    --depth_;
    return body;
  }

  // Null where a simple statement stands here.
  StatementPtr parse_compound() {
    if (sees("if")) return parse_if();
    if (sees("while")) return parse_while();
    if (sees("for")) return parse_for();
    if (sees("def")) return parse_function();
    if (sees("with")) return parse_with();
    if (sees("try")) return parse_try();
    if (sees("class")) return parse_class();
    return nullptr;
  }

  StatementPtr parse_if() {
    StatementPtr result = statement(Kind::kIf);
    take();
    result->value = parse_expression();
    result->body = parse_block();
    if (sees("elif")) {
      if (++depth_ > 40) throw Failure::at_line(token().line, "too many branches");
      result->otherwise.push_back(parse_if());
      --depth_;
    } else if (accept("else")) {
      result->otherwise = parse_block();
    }
    return result;
  }

  StatementPtr parse_while() {
    StatementPtr result = statement(Kind::kWhile);
    take();
    result->value = parse_expression();
    result->body = parse_block();
    if (accept("else")) result->otherwise = parse_block();
    return result;
  }

  StatementPtr parse_for() {
    StatementPtr result = statement(Kind::kFor);
    take();
    result->targets.push_back(parse_targets());
    expect("in");
    result->value = parse_expressions();
    result->body = parse_block();
    if (accept("else")) result->otherwise = parse_block();
    return result;
  }

  StatementPtr parse_function() {
    StatementPtr result = statement(Kind::kFunction);
    take();
    auto function = std::make_shared<FunctionDefinition>();
    function->line = result->line;
    function->text = expect_name();
    function->name = symbol(function->text);
    expect("(");
    parse_parameters(*function, ")", true);
    expect(")");
    if (accept("->")) parse_expression();
    function->body = parse_block();
    result->function = std::move(function);
    return result;
  }

  // "with a as b, c as d:" is "with a as b: with c as d:".
  StatementPtr parse_with() {
    StatementPtr result = statement(Kind::kWith);
    take();
    Statement* innermost = result.get();
    for (int items = 0;; ++items) {
      if (items > 8) fail("fewer contexts");
      innermost->value = parse_expression();
      if (accept("as")) innermost->targets.push_back(parse_postfix());
      if (!accept(",")) break;
      innermost->body.push_back(statement(Kind::kWith));
      innermost = innermost->body.back().get();
    }
    innermost->body = parse_block();
    return result;
  }

  StatementPtr parse_try() {
    StatementPtr result = statement(Kind::kTry);
    take();
    result->body = parse_block();
    while (accept("except")) {
      if (!sees(":")) parse_expressions();
      if (accept("as")) expect_name();
      parse_block();
    }
    if (accept("else")) result->otherwise = parse_block();
    if (accept("finally"))
      for (StatementPtr& last : parse_block()) result->otherwise.push_back(std::move(last));
    return result;
  }

  StatementPtr parse_class() {
    StatementPtr result = statement(Kind::kClass);
    take();
    result->names.push_back(symbol(expect_name()));
    if (accept("(")) {
      while (!accept(")")) {
        if (token().kind == Token::Kind::kName && tokens_[at_ + 1].text == "=") at_ += 2;
        parse_expression();
        if (!accept(",") && !sees(")")) fail("\")\"");
      }
    }
    parse_block();
    return result;
  }

  StatementPtr parse_simple() {
    if (sees("import") || sees("from")) return parse_import();
    if (sees("return") || sees("raise") || sees("yield")) {
      StatementPtr result = statement(sees("return") ? Kind::kReturn : Kind::kRaise);
      take();
      if (token().kind != Token::Kind::kNewline && !sees(";") && token().kind != Token::Kind::kEnd)
        result->value = parse_expressions();
      if (accept("from")) parse_expression();
      return result;
    }
    if (sees("global") || sees("nonlocal") || sees("del")) return parse_names();
    if (sees("assert")) {
      StatementPtr result = statement(Kind::kAssert);
      take();
      parse_expressions();
      return result;
    }
    for (const auto& [text, kind] :
         {std::pair{"break", Kind::kBreak}, {"continue", Kind::kContinue}, {"pass", Kind::kPass}})
      if (sees(text)) {
        StatementPtr result = statement(kind);
        take();
        return result;
      }
    return parse_assignment();
  }

  StatementPtr parse_names() {
    StatementPtr result = statement(sees("del") ? Kind::kDelete : Kind::kGlobal);
    take();
    const ExpressionPtr names = parse_targets();
    if (names->kind == Expression::Kind::kName) result->names.push_back(names->symbol);
    if (names->kind == Expression::Kind::kTuple)
      for (const ExpressionPtr& name : names->children)
        if (name->kind == Expression::Kind::kName) result->names.push_back(name->symbol);
    return result;
  }

  StatementPtr parse_import() {
    StatementPtr result = statement(Kind::kImport);
    const bool from = sees("from");
    take();
    const std::string package = from ? parse_dotted() + "." : "";
    if (from) expect("import");
    const bool parenthesis = accept("(");
    if (from && accept("*")) return result;
    do {
      if (parenthesis && sees(")")) break;
      std::string module = from ? expect_name() : parse_dotted();
      const std::string first = module.substr(0, module.find('.'));
      const bool renamed = accept("as");
      result->names.push_back(symbol(renamed ? expect_name() : first));
      result->modules.push_back(package + (from || renamed ? module : first));
    } while (accept(","));
    if (parenthesis) expect(")");
    return result;
  }

  std::string parse_dotted() {
    while (accept(".") || accept("...")) {
    }
    std::string name = expect_name();
    while (accept(".")) name += "." + expect_name();
    return name;
  }

  StatementPtr parse_assignment() {
    StatementPtr result = statement(Kind::kExpression);
    result->value = parse_expressions();
    if (accept(":")) {
      parse_expression();
      if (!sees("=")) {
        result->kind = Kind::kPass;
        return result;
      }
    }
    constexpr std::array<std::pair<std::string_view, Operator>, 13> kAugmented = {
        {{"+=", Operator::kAdd},
         {"-=", Operator::kSubtract},
         {"*=", Operator::kMultiply},
         {"/=", Operator::kDivide},
         {"//=", Operator::kFloorDivide},
         {"%=", Operator::kModulo},
         {"**=", Operator::kPower},
         {"@=", Operator::kMatrixMultiply},
         {"&=", Operator::kBitAnd},
         {"|=", Operator::kBitOr},
         {"^=", Operator::kBitXor},
         {"<<=", Operator::kShiftLeft},
         {">>=", Operator::kShiftRight}}};
    for (const auto& [text, operation] : kAugmented)
      if (accept(text)) {
        result->kind = Kind::kAugmented;
        result->operation = operation;
        result->targets.push_back(std::move(result->value));
        result->value = parse_expressions();
        return result;
      }
    while (accept("=")) {
      result->kind = Kind::kAssign;
      result->targets.push_back(std::move(result->value));
      result->value = parse_expressions();
    }
    return result;
  }
};

}  // namespace

Program parse_program(std::string_view source) {
  const std::vector<Token> tokens = tokens_of(source);
  SymbolTable symbols;
  Program program;
  program.body = Parser(tokens, symbols).parse_all();
  program.symbols = symbols.take_names();
  return program;
}

}  // namespace cuset::script
