#include "text/jinja/evaluator.h"

#include "text/jinja/filters.h"
#include "text/jinja/loop.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/jinja/tests.h"

namespace cuset::text::jinja {
namespace {

// Expressions, blocks and macro calls together; keeps the machine's stack within a megabyte or two.
constexpr int kDeepestEvaluation = 1200;

class DepthGuard {
 public:
  explicit DepthGuard(int& depth) : depth_(depth) {
    if (depth_ >= kDeepestEvaluation) fail("macros call each other too deeply");
    ++depth_;
  }
  ~DepthGuard() { --depth_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;

 private:
  int& depth_;
};

std::optional<int64_t> slice_bound(const Value& value) {
  if (value.is<None>()) return std::nullopt;
  const auto number = value.integer();
  if (!number) fail("slice indices must be integers, not {}", type_name(value));
  return number;
}

}  // namespace

Evaluator::Evaluator(const Program& program, std::map<std::string, Value, std::less<>> variables,
                     const Limits& limits)
    : program_(program), variables_(std::move(variables)), limits_(limits), budget_(limits.work) {
  for (const char* name : {"range", "dict", "namespace", "raise_exception", "strftime_now"}) {
    variables_.try_emplace(name, Builtin{name});
  }
}

Evaluator::~Evaluator() {
  for (const auto& space : namespaces_) space->attributes.clear();
  for (const auto& closure : closures_) closure->slots.clear();
}

Text Evaluator::render() {
  frame_ = std::make_shared<Activation>();
  frame_->slots.resize(program_.scope.slots);
  closures_.push_back(frame_);
  outputs_.emplace_back();
  enter(program_.scope);
  run(program_.body);
  return outputs_.back().take();
}

void Evaluator::write(const Text& text) {
  budget_.charge(2 * text.cost());
  if (outputs_.back().size() + text.bytes.size() > limits_.output) {
    fail("the rendered text is longer than {} bytes", limits_.output);
  }
  outputs_.back().append(text);
}

Evaluator::Flow Evaluator::run(const Body& body) {
  for (const auto& statement : body) {
    if (const Flow flow = run(*statement); flow != Flow::normal) return flow;
  }
  return Flow::normal;
}

Evaluator::Flow Evaluator::run(const Stmt& statement) {
  const DepthGuard guard(depth_);
  budget_.step();
  place_ = statement.place;
  switch (statement.kind) {
    case StmtKind::text:
      write(*statement.constant.text());
      break;
    case StmtKind::output:
      write(*to_text(evaluate(*statement.expr), budget_));
      break;
    case StmtKind::if_:
      return run_if(statement);
    case StmtKind::for_:
      return run_for(statement);
    case StmtKind::set:
      check_namespaces(*statement.target);
      assign(*statement.target, evaluate(*statement.expr));
      break;
    case StmtKind::set_block:
      return run_set_block(statement);
    case StmtKind::macro:
      slot(statement.target->slot) = make_macro(*statement.function);
      break;
    case StmtKind::call_block:
      run_call_block(statement);
      break;
    case StmtKind::generation:
      run_generation(statement);
      break;
    case StmtKind::break_:
      return Flow::break_;
    case StmtKind::continue_:
      return Flow::continue_;
  }
  return Flow::normal;
}

Evaluator::Flow Evaluator::run_if(const Stmt& statement) {
  for (const Branch& branch : statement.branches) {
    if (branch.test == nullptr || is_true(evaluate(*branch.test))) return run(branch.body);
  }
  return Flow::normal;
}

std::shared_ptr<Loop> Evaluator::start_loop(const Stmt& statement) {
  const Value iterable = evaluate(*statement.expr);
  place_ = statement.place;
  auto loop = std::make_shared<Loop>();
  loop->source = iterate(iterable, budget_);
  loop->depth = loop->source->depth() + 1;
  if (statement.test == nullptr) {
    if (!iterable.is<GeneratorPtr>()) loop->length = size_of(iterable);
    return loop;
  }
  // The condition runs when an item is drawn, with variables of its own.
  auto activation = std::make_shared<Activation>();
  activation->outer = frame_;
  remember(frame_);
  const Value filtered = make_generator(
      loop->source->depth(),
      [this, &statement, activation, source = loop->source, entered = false](Value& out) mutable {
        const auto outer = std::exchange(frame_, activation);
        if (!std::exchange(entered, true)) {
          activation->slots.resize(statement.test_scope.slots);
          enter(statement.test_scope);
        }
        bool found = false;
        while (!found && source->next(out)) {
          budget_.step();
          assign(*statement.test_target, out);
          found = is_true(evaluate(*statement.test));
        }
        frame_ = outer;
        return found;
      });
  loop->source = *filtered.as<GeneratorPtr>();
  loop->depth = loop->source->depth() + 1;
  return loop;
}

Evaluator::Flow Evaluator::run_for(const Stmt& statement) {
  const auto loop = start_loop(statement);
  bool completed_one = false;
  while (loop->advance()) {
    budget_.step();
    assign(*statement.target, loop->current);
    slot(statement.loop_slot) = loop;
    enter(statement.scope);
    const Flow flow = run(statement.body);
    if (flow == Flow::break_) break;
    if (flow == Flow::normal) completed_one = true;
    place_ = statement.place;
  }
  leave(statement.scope);
  slot(statement.loop_slot) = Value();
  // As in Jinja2, else also runs if no iteration came to its end.
  if (completed_one || statement.else_body.empty()) return Flow::normal;
  enter(statement.else_scope);
  const Flow flow = run(statement.else_body);
  leave(statement.else_scope);
  return flow;
}

Evaluator::Flow Evaluator::run_set_block(const Stmt& statement) {
  enter(statement.scope);
  outputs_.emplace_back();
  const Flow flow = run(statement.body);
  Value captured = outputs_.back().finish();
  outputs_.pop_back();
  if (flow != Flow::normal) return flow;
  place_ = statement.place;
  if (statement.expr != nullptr) captured = evaluate_filter(*statement.expr, &captured);
  check_namespaces(*statement.target);
  assign(*statement.target, captured);
  leave(statement.scope);
  return Flow::normal;
}

void Evaluator::run_call_block(const Stmt& statement) {
  const Value caller = make_macro(*statement.function);
  write(*to_text(evaluate_call(*statement.expr, &caller), budget_));
}

void Evaluator::run_generation(const Stmt& statement) {
  const Value body = make_macro(*statement.function);
  const Value text = call(body, {});
  const size_t begin = outputs_.back().size();
  write(*text.text());
  // Inside a macro or set block the final position is not known.
  if (outputs_.size() == 1) generated_.push_back({begin, outputs_.back().size()});
}

void Evaluator::enter(const Scope& scope) {
  for (const Load& load : scope.loads) {
    Value value;
    if (load.from == Load::From::outer) value = slot(load.outer);
    if (load.from == Load::From::context) {
      const auto found = variables_.find(load.name);
      if (found != variables_.end()) value = found->second;
    }
    slot(load.target) = std::move(value);
  }
}

void Evaluator::leave(const Scope& scope) {
  for (const Load& load : scope.loads) slot(load.target) = Value();
}

Value& Evaluator::slot(const Slot& place) {
  Activation* activation = frame_.get();
  for (uint32_t i = 0; i < place.hops; ++i) activation = activation->outer.get();
  return activation->slots[place.index];
}

void Evaluator::check_namespaces(const Expr& target) {
  if (target.kind == ExprKind::namespace_ref && !slot(target.slot).is<std::shared_ptr<Namespace>>()) {
    fail("cannot assign attribute '{}': '{}' is not a namespace", target.attribute, target.name);
  }
  for (const ExprPtr& child : target.children) check_namespaces(*child);
}

void Evaluator::assign(const Expr& target, const Value& value) {
  if (target.kind == ExprKind::name) {
    slot(target.slot) = value;
  } else if (target.kind == ExprKind::namespace_ref) {
    const auto space = slot(target.slot).as<std::shared_ptr<Namespace>>();
    if (space == nullptr) fail("'{}' is not a namespace", target.name);
    budget_.charge(8 * (*space)->attributes.size());
    (*space)->set(target.attribute, value);
  } else {
    const std::vector<Value> items = to_vector(value, budget_);
    if (items.size() != target.children.size()) {
      fail("{} values cannot be unpacked into {} names", items.size(), target.children.size());
    }
    for (size_t i = 0; i < items.size(); ++i) assign(*target.children[i], items[i]);
  }
}

void Evaluator::remember(const std::shared_ptr<Activation>& activation) {
  if (closures_.back() == activation) return;
  budget_.charge_items(1);
  closures_.push_back(activation);
}

Value Evaluator::make_macro(const Function& function) {
  auto macro = std::make_shared<Macro>();
  macro->name = function.name;
  macro->function = &function;
  macro->closure = frame_;
  remember(frame_);
  return std::shared_ptr<const Macro>(std::move(macro));
}

Value Evaluator::evaluate(const Expr& expr) {
  const DepthGuard guard(depth_);
  budget_.step();
  return evaluate_node(expr);
}

Value Evaluator::evaluate_node(const Expr& expr) {
  const auto child = [&](size_t index) { return evaluate(*expr.children[index]); };
  switch (expr.kind) {
    case ExprKind::constant:
      return expr.constant;
    case ExprKind::name:
      return evaluate_name(expr);
    case ExprKind::namespace_ref:
      break;
    case ExprKind::tuple:
      return make_tuple(evaluate_all(expr));
    case ExprKind::list:
      return make_list(evaluate_all(expr));
    case ExprKind::dict:
      return evaluate_dict(expr);
    case ExprKind::conditional:
      return evaluate_conditional(expr);
    case ExprKind::logical_or: {
      Value left = child(0);
      return is_true(left) ? left : child(1);
    }
    case ExprKind::logical_and: {
      Value left = child(0);
      return is_true(left) ? child(1) : left;
    }
    case ExprKind::logical_not:
      return !is_true(child(0));
    case ExprKind::compare:
      return evaluate_compare(expr);
    case ExprKind::binary: {
      const Value left = child(0);
      const Value right = child(1);
      place_ = expr.place;
      return apply_binary(expr.operators[0], left, right, budget_);
    }
    case ExprKind::negate:
      return negated(child(0));
    case ExprKind::plus:
      return unchanged_number(child(0));
    case ExprKind::concat:
      return evaluate_concat(expr);
    case ExprKind::attribute: {
      const Value object = child(0);
      place_ = expr.place;
      return get_attribute(object, expr.attribute, budget_);
    }
    case ExprKind::subscript: {
      const Value object = child(0);
      const Value index = child(1);
      place_ = expr.place;
      return get_item(object, index, budget_);
    }
    case ExprKind::slice:
      return evaluate_slice(expr);
    case ExprKind::call:
      return evaluate_call(expr);
    case ExprKind::filter:
      return evaluate_filter(expr);
    case ExprKind::test:
      return evaluate_test(expr);
  }
  return {};
}

Value Evaluator::evaluate_name(const Expr& expr) {
  const Value& value = slot(expr.slot);
  return value.is_missing() ? undefined(fmt::format("'{}' is undefined", expr.name)) : value;
}

std::vector<Value> Evaluator::evaluate_all(const Expr& expr, size_t first) {
  budget_.charge_items(expr.children.size());
  std::vector<Value> values;
  for (size_t i = first; i < expr.children.size(); ++i) values.push_back(evaluate(*expr.children[i]));
  return values;
}

Value Evaluator::evaluate_dict(const Expr& expr) {
  std::vector<std::pair<Value, Value>> items;
  for (size_t i = 0; i < expr.children.size(); i += 2) {
    Value key = evaluate(*expr.children[i]);
    Value value = evaluate(*expr.children[i + 1]);
    if (!is_hashable(key)) fail("unhashable type: '{}'", type_name(key));
    const auto same = [&](const auto& item) { return equal(item.first, key, budget_); };
    const auto found = std::find_if(items.begin(), items.end(), same);
    if (found != items.end())
      found->second = std::move(value);
    else
      items.emplace_back(std::move(key), std::move(value));
  }
  return make_dict(std::move(items));
}

Value Evaluator::evaluate_conditional(const Expr& expr) {
  if (is_true(evaluate(*expr.children[0]))) return evaluate(*expr.children[1]);
  if (expr.children[2] != nullptr) return evaluate(*expr.children[2]);
  return undefined("the inline if was false and has no else");
}

Value Evaluator::evaluate_compare(const Expr& expr) {
  Value left = evaluate(*expr.children[0]);
  for (size_t i = 0; i < expr.operators.size(); ++i) {
    Value right = evaluate(*expr.children[i + 1]);
    place_ = expr.place;
    if (!compare(expr.operators[i], left, right, budget_)) return false;
    left = std::move(right);
  }
  return true;
}

Value Evaluator::evaluate_concat(const Expr& expr) {
  TextBuilder out;
  for (const Value& value : evaluate_all(expr)) {
    const TextPtr text = to_text(value, budget_);
    budget_.charge(2 * text->cost());
    out.append(*text);
  }
  return out.finish();
}

Value Evaluator::evaluate_slice(const Expr& expr) {
  const Value object = evaluate(*expr.children[0]);
  std::optional<int64_t> bounds[3];
  for (size_t i = 0; i < 3; ++i) {
    if (expr.children[i + 1] != nullptr) bounds[i] = slice_bound(evaluate(*expr.children[i + 1]));
  }
  place_ = expr.place;
  return get_slice(object, {bounds[0], bounds[1], bounds[2]}, budget_);
}

Arguments Evaluator::evaluate_arguments(const Expr& expr) {
  Arguments arguments;
  arguments.positional = evaluate_all(expr, 1);
  for (const auto& [name, value] : expr.keywords) {
    for (const auto& given : arguments.named) {
      if (given.first == name) fail("argument '{}' given twice", name);
    }
    arguments.named.emplace_back(name, evaluate(*value));
  }
  return arguments;
}

Value Evaluator::evaluate_call(const Expr& expr, const Value* caller) {
  const Value callee = evaluate(*expr.children[0]);
  Arguments arguments = evaluate_arguments(expr);
  if (caller != nullptr) arguments.named.emplace_back("caller", *caller);
  place_ = expr.place;
  return call(callee, std::move(arguments));
}

Value Evaluator::evaluate_filter(const Expr& expr, const Value* input) {
  // In a chain on a set block, the innermost filter has no child as its input.
  const Expr* inner = expr.children[0].get();
  const Value value = inner == nullptr   ? *input
                      : input != nullptr ? evaluate_filter(*inner, input)
                                         : evaluate(*inner);
  const Arguments arguments = evaluate_arguments(expr);
  place_ = expr.place;
  return apply_filter(expr.name, value, arguments, budget_);
}

Value Evaluator::evaluate_test(const Expr& expr) {
  const Value value = evaluate(*expr.children[0]);
  const Arguments arguments = evaluate_arguments(expr);
  place_ = expr.place;
  return apply_test(expr.name, value, arguments, budget_);
}

}  // namespace cuset::text::jinja
