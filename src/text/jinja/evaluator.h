// Runs a parsed template. One evaluator renders once; the program itself is never changed and may be shared
// by threads.
#pragma once

#include <ctime>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_span.h"
#include "text/jinja/arguments.h"
#include "text/jinja/ast.h"
#include "text/jinja/limits.h"
#include "text/jinja/macro.h"

namespace cuset::text::jinja {

class Evaluator {
 public:
  // `variables` are what the template may read. The program must outlive the evaluator.
  Evaluator(const Program& program, std::map<std::string, Value, std::less<>> variables,
            const Limits& limits);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // The local time that strftime_now writes, instead of the clock's.
  void set_now(const std::tm& now) { now_ = now; }

  // The rendered text. Throws Failure; place() then says where.
  Text render();
  Place place() const { return place_; }
  // What {% generation %} blocks wrote.
  const std::vector<base::ByteSpan>& generated() const { return generated_; }

 private:
  enum class Flow { normal, break_, continue_ };

  // Statements.
  Flow run(const Body& body);
  Flow run(const Stmt& statement);
  Flow run_if(const Stmt& statement);
  Flow run_for(const Stmt& statement);
  Flow run_set_block(const Stmt& statement);
  void run_call_block(const Stmt& statement);
  void run_generation(const Stmt& statement);
  std::shared_ptr<Loop> start_loop(const Stmt& statement);
  void write(const Text& text);

  // Scopes.
  void enter(const Scope& scope);
  void leave(const Scope& scope);
  Value& slot(const Slot& place);
  void assign(const Expr& target, const Value& value);
  void check_namespaces(const Expr& target);
  Value make_macro(const Function& function);
  // Has the activation emptied at the end, because a value now refers to it.
  void remember(const std::shared_ptr<Activation>& activation);

  // Expressions.
  Value evaluate(const Expr& expr);
  Value evaluate_node(const Expr& expr);
  Value evaluate_name(const Expr& expr);
  Value evaluate_dict(const Expr& expr);
  Value evaluate_conditional(const Expr& expr);
  Value evaluate_compare(const Expr& expr);
  Value evaluate_concat(const Expr& expr);
  Value evaluate_slice(const Expr& expr);
  Value evaluate_call(const Expr& expr, const Value* caller = nullptr);
  Value evaluate_filter(const Expr& expr, const Value* input = nullptr);
  Value evaluate_test(const Expr& expr);
  std::vector<Value> evaluate_all(const Expr& expr, size_t first = 0);
  Arguments evaluate_arguments(const Expr& expr);

  // Functions.
  Value call(const Value& callee, Arguments arguments);
  Value call_macro(const Macro& macro, Arguments arguments);
  void bind_parameters(const Macro& macro, Arguments& arguments, Activation& activation);
  void fill_defaults(const Function& function);
  Value call_builtin(std::string_view name, const Arguments& arguments);
  Value make_range(const Arguments& arguments) const;
  Value make_dict_from(const Arguments& arguments);
  Value make_namespace(const Arguments& arguments);
  Value format_now(const Arguments& arguments);

  const Program& program_;
  std::map<std::string, Value, std::less<>> variables_;
  Limits limits_;
  Budget budget_;
  std::optional<std::tm> now_;
  std::shared_ptr<Activation> frame_;
  // The innermost is being written to; outer ones wait for a set block or macro to end.
  std::vector<TextBuilder> outputs_;
  std::vector<base::ByteSpan> generated_;
  Place place_;
  int depth_ = 0;
  // What may refer to itself, emptied at the end.
  std::vector<std::shared_ptr<Namespace>> namespaces_;
  std::vector<std::shared_ptr<Activation>> closures_;
};

}  // namespace cuset::text::jinja
