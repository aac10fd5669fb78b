#include "text/jinja/known_names.h"

#include <fmt/format.h>

#include "text/jinja/filters.h"
#include "text/jinja/tests.h"

namespace cuset::text::jinja {
namespace {

enum class Where { kBranch, kElsewhere };

void check(const Body& body, Where where);

void check_name(const Expr& expr) {
  const bool is_filter = expr.kind == ExprKind::filter;
  const bool is_known = is_filter ? is_known_filter(expr.name) : is_known_test(expr.name);
  if (!is_known)
    throw SyntaxFailure(expr.place,
                        fmt::format("{} '{}' is not supported", is_filter ? "filter" : "test", expr.name));
}

void check(const Expr* expr, Where where) {
  if (expr == nullptr) return;
  const bool is_named = expr->kind == ExprKind::filter || expr->kind == ExprKind::test;
  if (expr->kind == ExprKind::conditional) where = Where::kBranch;
  // The input of a chain comes first.
  for (const ExprPtr& child : expr->children) check(child.get(), where);
  for (const auto& [key, value] : expr->keywords) check(value.get(), where);
  if (is_named && where == Where::kElsewhere) check_name(*expr);
}

void check(const Function& function) {
  for (const ExprPtr& value : function.defaults) check(value.get(), Where::kElsewhere);
  check(function.body, Where::kElsewhere);
}

void check(const Stmt& statement, Where where) {
  for (const Branch& branch : statement.branches) {
    check(branch.test.get(), Where::kBranch);
    check(branch.body, Where::kBranch);
  }
  const bool is_captured = statement.kind == StmtKind::set_block;
  check(statement.expr.get(), is_captured ? Where::kElsewhere : where);
  check(statement.test.get(), Where::kElsewhere);
  check(statement.body, Where::kElsewhere);
  check(statement.else_body, Where::kElsewhere);
  if (statement.function != nullptr) check(*statement.function);
}

void check(const Body& body, Where where) {
  for (const auto& statement : body) check(*statement, where);
}

}  // namespace

void refuse_unknown_names(const Program& program) { check(program.body, Where::kElsewhere); }

}  // namespace cuset::text::jinja
