// Carries out the needed statements of a program.
//
// A statement that fails does not end the script: what it should have assigned becomes a Poison, and only a
// use of that fails, in the words of the first failure. So a reference that the slice could not leave out and
// that uses functions unknown here does no harm.
#pragma once

#include <memory>
#include <optional>

#include "verify/tasks/script/call.h"
#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/syntax.h"
#include "verify/tasks/script/value.h"

namespace cuset::script {

class Evaluator {
 public:
  // Both must outlive the evaluator. Sets machine.invoke.
  Evaluator(const Program& program, Machine& machine);
  ~Evaluator();

  // Throws Failure, its line set, and ScriptExit.
  void run();
  // Why the first file that could not be written was not; such a file may be one that nobody wants.
  const std::optional<Failure>& unwritten() const { return unwritten_; }

 private:
  enum class Flow : uint8_t { kNext, kBreak, kContinue, kReturn };
  class Depth;

  Flow run_block(const Block& block);
  Flow run_statement(const Statement& statement);
  Flow run_loop(const Statement& statement);
  Flow run_for(const Statement& statement);
  Flow run_with(const Statement& statement);
  void run_assignment(const Statement& statement);
  void assign_all(const Statement& statement);
  void augment(const Statement& statement);
  void poison_targets(const Statement& statement, const Failure& failure);
  void poison_target(const Expression& target, const std::shared_ptr<Poison>& poison);
  void run_expression(const Statement& statement);
  void define(const Statement& statement);
  void run_raise(const Statement& statement);

  Value& variable_to_store(Symbol symbol);
  void store(const Expression& target, const Value& value);
  void store_items(const Expression& target, const Values& items);
  void store_item(const Value& container, const Value& index, const Value& value);

  Value evaluate(const Expression& expression);
  Value evaluate_plain(const Expression& expression);
  Value evaluate_item(const Expression& expression);
  Value evaluate_name(const Expression& expression);
  Value evaluate_formatted(const Expression& expression);
  Values evaluate_all(const Expression& expression, size_t first);
  Value evaluate_dict(const Expression& expression);
  Value evaluate_attribute(const Expression& expression);
  Value evaluate_subscript(const Expression& expression);
  Value evaluate_slice(const Expression& expression);
  Value evaluate_compare(const Expression& expression);
  Value evaluate_logic(const Expression& expression);
  Value evaluate_comprehension(const Expression& expression);
  void run_clauses(const Expression& expression, size_t clause, const std::function<void()>& element);
  Value make_closure(const std::shared_ptr<FunctionDefinition>& definition);

  Value evaluate_call(const Expression& expression);
  Value call_library(const std::string& path, Values positional,
                     std::vector<std::pair<std::string, Value>> keywords);
  Value call_method(const Value& base, const std::string& name, Values positional,
                    std::vector<std::pair<std::string, Value>> keywords);
  Value call_value(const Value& callee, Values positional,
                   std::vector<std::pair<std::string, Value>> keywords);
  Value call_closure(const Closure& closure, Values positional,
                     std::vector<std::pair<std::string, Value>> keywords);
  void keep_in_sight(const std::shared_ptr<Frame>& frame);
  void bind(const Closure& closure, Frame& frame, Values positional,
            std::vector<std::pair<std::string, Value>> keywords);

  const Program& program_;
  Machine& machine_;
  std::shared_ptr<Frame> module_;
  std::shared_ptr<Frame> frame_;
  std::vector<std::weak_ptr<Frame>> frames_;  // for taking cycles of closures and frames apart at the end
  Value returned_;
  std::optional<Failure> unwritten_;
  int line_ = 0;
};

// container[index]. Throws Failure.
Value subscripted(const Value& container, const Value& index);
// x.name of an array, for a name that is no method. Throws Failure.
Value array_attribute(const Numbers& numbers, const std::string& name);
// module.name: a constant such as numpy.pi, or a longer name.
Value module_attribute(const std::string& path, const std::string& name);

}  // namespace cuset::script
