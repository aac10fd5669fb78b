#include "text/jinja/parser.h"

#include "text/jinja/expression_parser.h"
#include "text/jinja/known_names.h"
#include "text/jinja/scope.h"

namespace cuset::text::jinja {
namespace {

class TemplateParser {
 public:
  explicit TemplateParser(std::string_view source)
      : tokens_(tokenize_template(source)), expressions_(tokens_) {}

  Program run() {
    Program program;
    program.body = parse_body({});
    return program;
  }

 private:
  using Ends = std::initializer_list<std::string_view>;
  using StmtPtr = std::unique_ptr<Stmt>;

  // Statements up to a tag named in `ends`, which stays current; or up to the end of the template.
  Body parse_body(Ends ends);
  // The rest of an opening tag, the statements after it, and its closing tag, which is returned.
  Body parse_block(Ends ends, std::string* end = nullptr);
  StmtPtr parse_tag(const Token& tag);
  StmtPtr parse_if();
  StmtPtr parse_for();
  StmtPtr parse_set();
  StmtPtr parse_macro();
  StmtPtr parse_call();
  StmtPtr parse_generation();
  StmtPtr parse_loop_control(const Token& tag);
  void parse_parameters(Function& function);
  Body parse_function_body(std::string_view end);
  StmtPtr make(StmtKind kind, Place place) const {
    auto statement = std::make_unique<Stmt>();
    statement->kind = kind;
    statement->place = place;
    return statement;
  }

  TokenCursor tokens_;
  ExpressionParser expressions_;
  int nesting_ = 0;
  int loops_ = 0;
};

Body TemplateParser::parse_body(Ends ends) {
  if (++nesting_ > kDeepestSyntax / 4) tokens_.refuse("blocks nest too deeply");
  Body body;
  while (tokens_.current().kind != TokenKind::end) {
    const Token token = tokens_.take();
    if (token.kind == TokenKind::text) {
      body.push_back(make(StmtKind::text, token.place));
      body.back()->constant = text_value(token.text);
    } else if (token.kind == TokenKind::expression_begin) {
      body.push_back(make(StmtKind::output, token.place));
      body.back()->expr = expressions_.parse_tuple({});
      tokens_.expect(TokenKind::expression_end, "'}}'");
    } else {
      const Token& tag = tokens_.current();
      const bool is_end =
          tag.kind == TokenKind::name && std::find(ends.begin(), ends.end(), tag.text) != ends.end();
      if (is_end) break;
      body.push_back(parse_tag(tokens_.expect(TokenKind::name, "the name of a tag")));
      tokens_.expect(TokenKind::tag_end, "'%}'");
    }
  }
  --nesting_;
  return body;
}

Body TemplateParser::parse_block(Ends ends, std::string* end) {
  tokens_.skip_op(":");
  tokens_.expect(TokenKind::tag_end, "'%}'");
  Body body = parse_body(ends);
  if (tokens_.current().kind == TokenKind::end) {
    tokens_.refuse(fmt::format("the template ends where '{}' is still missing", *(ends.end() - 1)));
  }
  const Token closing = tokens_.take();
  if (end != nullptr) *end = closing.text;
  return body;
}

std::unique_ptr<Stmt> TemplateParser::parse_tag(const Token& tag) {
  StmtPtr statement;
  if (tag.text == "if")
    statement = parse_if();
  else if (tag.text == "for")
    statement = parse_for();
  else if (tag.text == "set")
    statement = parse_set();
  else if (tag.text == "macro")
    statement = parse_macro();
  else if (tag.text == "call")
    statement = parse_call();
  else if (tag.text == "generation")
    statement = parse_generation();
  else if (tag.text == "break" || tag.text == "continue")
    statement = parse_loop_control(tag);
  else
    throw SyntaxFailure(tag.place, fmt::format("tag '{}' is not supported", tag.text));
  statement->place = tag.place;
  return statement;
}

std::unique_ptr<Stmt> TemplateParser::parse_if() {
  StmtPtr statement = make(StmtKind::if_, {});
  std::string end = "elif";
  while (end == "elif") {
    ExpressionParser::TupleOptions options;
    options.with_conditional = false;
    Branch branch;
    branch.test = expressions_.parse_tuple(options);
    branch.body = parse_block({"elif", "else", "endif"}, &end);
    statement->branches.push_back(std::move(branch));
  }
  if (end == "else") statement->branches.push_back({nullptr, parse_block({"endif"})});
  return statement;
}

std::unique_ptr<Stmt> TemplateParser::parse_for() {
  StmtPtr statement = make(StmtKind::for_, {});
  statement->target = expressions_.parse_target("in", false);
  if (!tokens_.skip_name("in")) tokens_.refuse("expected 'in'");
  ExpressionParser::TupleOptions options;
  options.with_conditional = false;
  options.end = "recursive";
  statement->expr = expressions_.parse_tuple(options);
  if (tokens_.skip_name("if")) statement->test = expressions_.parse_expression();
  if (tokens_.current().is_name("recursive")) tokens_.refuse("a recursive for is not supported");
  ++loops_;
  std::string end;
  statement->body = parse_block({"endfor", "else"}, &end);
  --loops_;
  if (end == "else") statement->else_body = parse_block({"endfor"});
  return statement;
}

std::unique_ptr<Stmt> TemplateParser::parse_set() {
  StmtPtr statement = make(StmtKind::set, {});
  statement->target = expressions_.parse_target("", true);
  if (tokens_.skip_op("=")) {
    statement->expr = expressions_.parse_tuple({});
    return statement;
  }
  statement->kind = StmtKind::set_block;
  statement->expr = expressions_.parse_block_filters();
  statement->body = parse_block({"endset"});
  return statement;
}

void TemplateParser::parse_parameters(Function& function) {
  tokens_.expect_op("(");
  while (!tokens_.current().is_op(")")) {
    if (!function.parameters.empty()) tokens_.expect_op(",");
    const Token name = tokens_.expect(TokenKind::name, "the name of a parameter");
    const auto& known = function.parameters;
    if (std::find(known.begin(), known.end(), name.text) != known.end()) {
      throw SyntaxFailure(name.place, fmt::format("parameter '{}' appears twice", name.text));
    }
    if (name.text == "caller" || name.text == "kwargs" || name.text == "varargs") {
      throw SyntaxFailure(name.place, fmt::format("a parameter named '{}' is not supported", name.text));
    }
    if (tokens_.skip_op("="))
      function.defaults.push_back(expressions_.parse_expression());
    else if (!function.defaults.empty())
      tokens_.refuse("a parameter without default follows one with a default");
    function.parameters.push_back(name.text);
  }
  tokens_.expect_op(")");
}

Body TemplateParser::parse_function_body(std::string_view end) {
  const int outer_loops = std::exchange(loops_, 0);
  Body body = parse_block({end});
  loops_ = outer_loops;
  return body;
}

std::unique_ptr<Stmt> TemplateParser::parse_macro() {
  StmtPtr statement = make(StmtKind::macro, {});
  const Token name = tokens_.expect(TokenKind::name, "the name of the macro");
  statement->target = std::make_unique<Expr>();
  statement->target->kind = ExprKind::name;
  statement->target->name = name.text;
  statement->target->place = name.place;
  statement->function = std::make_unique<Function>();
  statement->function->name = name.text;
  parse_parameters(*statement->function);
  statement->function->body = parse_function_body("endmacro");
  return statement;
}

std::unique_ptr<Stmt> TemplateParser::parse_call() {
  StmtPtr statement = make(StmtKind::call_block, {});
  statement->function = std::make_unique<Function>();
  if (tokens_.current().is_op("(")) parse_parameters(*statement->function);
  statement->expr = expressions_.parse_expression();
  if (statement->expr->kind != ExprKind::call) tokens_.refuse("the tag 'call' needs a call");
  statement->function->body = parse_function_body("endcall");
  return statement;
}

std::unique_ptr<Stmt> TemplateParser::parse_generation() {
  StmtPtr statement = make(StmtKind::generation, {});
  statement->function = std::make_unique<Function>();
  statement->function->body = parse_function_body("endgeneration");
  return statement;
}

std::unique_ptr<Stmt> TemplateParser::parse_loop_control(const Token& tag) {
  if (loops_ == 0) throw SyntaxFailure(tag.place, fmt::format("'{}' outside of a loop", tag.text));
  return make(tag.text == "break" ? StmtKind::break_ : StmtKind::continue_, {});
}

}  // namespace

Program parse_template(std::string_view source) {
  Program program = TemplateParser(source).run();
  refuse_unknown_names(program);
  bind_names(program);
  return program;
}

}  // namespace cuset::text::jinja
