#include "verify/tasks/script/evaluator.h"

#include <algorithm>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/indexing.h"

namespace cuset::script {

namespace {
constexpr size_t kMostKeys = 4096;
}  // namespace

using Kind = Statement::Kind;

// A level of recursion while it lives.
class Evaluator::Depth {
 public:
  explicit Depth(Budget& budget) : budget_(budget) { budget_.enter(); }
  ~Depth() { budget_.leave(); }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  Budget& budget_;
};

Evaluator::Evaluator(const Program& program, Machine& machine)
    : program_(program), machine_(machine), module_(std::make_shared<Frame>()), frame_(module_) {
  module_->variables.resize(program.symbols.size());
  machine_.invoke = [this](const Value& callee, Values arguments) {
    return call_value(callee, std::move(arguments), {});
  };
}

Evaluator::~Evaluator() {
  machine_.invoke = nullptr;
  // A function kept in a variable of the frame that it closes over would keep both alive.
  for (const std::weak_ptr<Frame>& each : frames_)
    if (const auto frame = each.lock()) frame->variables.clear();
  module_->variables.clear();
  machine_.take_apart();
}

void Evaluator::run() {
  try {
    run_block(program_.body);
  } catch (Failure& failure) {
    if (failure.line == 0) failure.line = line_;
    throw;
  }
}

Evaluator::Flow Evaluator::run_block(const Block& block) {
  const Depth depth(*machine_.budget);
  for (const StatementPtr& statement : block) {
    if (!statement->needed) continue;
    const Flow flow = run_statement(*statement);
    if (flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
}

Evaluator::Flow Evaluator::run_statement(const Statement& statement) {
  machine_.budget->step();
  line_ = statement.line;
  switch (statement.kind) {
    case Kind::kExpression:
      run_expression(statement);
      return Flow::kNext;
    case Kind::kAssign:
    case Kind::kAugmented:
      run_assignment(statement);
      return Flow::kNext;
    case Kind::kIf:
      return run_block(truth(evaluate(*statement.value)) ? statement.body : statement.otherwise);
    case Kind::kWhile:
      return run_loop(statement);
    case Kind::kFor:
      return run_for(statement);
    case Kind::kWith:
      return run_with(statement);
    case Kind::kTry: {
      const Flow flow = run_block(statement.body);
      return flow == Flow::kNext ? run_block(statement.otherwise) : flow;
    }
    case Kind::kReturn:
      returned_ = statement.value ? evaluate(*statement.value) : none();
      return Flow::kReturn;
    case Kind::kBreak:
      return Flow::kBreak;
    case Kind::kContinue:
      return Flow::kContinue;
    case Kind::kRaise:
      run_raise(statement);
      return Flow::kNext;
    case Kind::kClass:
      throw Failure("classes are not understood");
    default:
      define(statement);
      return Flow::kNext;
  }
}

void Evaluator::run_expression(const Statement& statement) {
  const Expression& value = *statement.value;
  const bool writes = value.kind == Expression::Kind::kCall &&
                      (value.children[0]->text == "tofile" || value.children[0]->text == "write");
  try {
    evaluate(value);
  } catch (const OutOfBudget&) {
    throw;
  } catch (const Failure& failure) {
    if (!writes) throw;
    if (unwritten_) return;
    unwritten_ = failure;
    if (failure.line == 0) unwritten_->line = line_;
  }
}

void Evaluator::define(const Statement& statement) {
  if (statement.kind == Kind::kFunction)
    frame_->variables[static_cast<size_t>(statement.function->name)] = make_closure(statement.function);
  if (statement.kind == Kind::kGlobal && frame_ != module_)
    frame_->globals.insert(frame_->globals.end(), statement.names.begin(), statement.names.end());
  if (statement.kind == Kind::kImport)
    for (size_t i = 0; i < statement.names.size(); ++i)
      frame_->variables[static_cast<size_t>(statement.names[i])] = named(statement.modules[i]);
}

void Evaluator::run_raise(const Statement& statement) {
  std::string text = "an exception";
  if (statement.value) {
    const Expression& raised =
        statement.value->kind == Expression::Kind::kCall ? *statement.value->children[0] : *statement.value;
    text = raised.text;
    if (text == "SystemExit") throw ScriptExit{};
  }
  throw Failure("the script raises {}", text);
}

Evaluator::Flow Evaluator::run_loop(const Statement& statement) {
  for (;;) {
    machine_.budget->step();
    line_ = statement.line;
    if (!truth(evaluate(*statement.value))) return run_block(statement.otherwise);
    const Flow flow = run_block(statement.body);
    if (flow == Flow::kBreak) return Flow::kNext;
    if (flow == Flow::kReturn) return flow;
  }
}

Evaluator::Flow Evaluator::run_for(const Statement& statement) {
  const Value iterable = evaluate(*statement.value);
  Flow flow = Flow::kNext;
  const auto turn = [&](const Value& item) {
    machine_.budget->step();
    store(*statement.targets[0], item);
    flow = run_block(statement.body);
    return flow != Flow::kBreak && flow != Flow::kReturn;
  };
  bool whole = true;
  if (const auto* range = iterable.as<Range>()) {
    for (int64_t i = 0; i < range->count() && whole; ++i) whole = turn(of(range->start + i * range->step));
  } else {
    const Values items = elements_of(iterable);
    for (size_t i = 0; i < items.size() && whole; ++i) whole = turn(items[i]);
  }
  if (flow == Flow::kReturn) return flow;
  return whole ? run_block(statement.otherwise) : Flow::kNext;
}

// Only files matter; other contexts (no_grad, errstate) change nothing here.
Evaluator::Flow Evaluator::run_with(const Statement& statement) {
  Value context;
  try {
    context = evaluate(*statement.value);
  } catch (const OutOfBudget&) {
    throw;
  } catch (const Failure&) {
    if (!statement.targets.empty()) throw;
  }
  if (!statement.targets.empty()) store(*statement.targets[0], context);
  return run_block(statement.body);
}

void Evaluator::run_assignment(const Statement& statement) {
  try {
    if (statement.kind == Kind::kAssign)
      assign_all(statement);
    else
      augment(statement);
  } catch (const OutOfBudget&) {
    throw;
  } catch (const Failure& failure) {
    poison_targets(statement, failure);
  }
}

void Evaluator::assign_all(const Statement& statement) {
  const Value value = evaluate(*statement.value);
  for (const ExpressionPtr& target : statement.targets) store(*target, value);
}

void Evaluator::augment(const Statement& statement) {
  const Expression& target = *statement.targets[0];
  const auto& budget = machine_.budget;
  if (target.kind == Expression::Kind::kSubscript) {
    const Value container = evaluate(*target.children[0]);
    const Value index = evaluate(*target.children[1]);
    const Value old = subscripted(container, index);
    if (old.array() && container.array() && old.array()->buffer == container.array()->buffer &&
        in_place(statement.operation, old, evaluate(*statement.value), budget))
      return;
    store_item(container, index, binary(statement.operation, old, evaluate(*statement.value), budget));
    return;
  }
  const Value old = evaluate(target);
  const Value added = evaluate(*statement.value);
  machine_.watch(old);
  if (!in_place(statement.operation, old, added, budget))
    store(target, binary(statement.operation, old, added, budget));
}

void Evaluator::poison_targets(const Statement& statement, const Failure& failure) {
  auto poison = std::make_shared<Poison>(Poison{failure.line != 0 ? failure.line : line_, failure.what()});
  line_ = statement.line;
  for (const ExpressionPtr& target : statement.targets) poison_target(*target, poison);
}

void Evaluator::poison_target(const Expression& target, const std::shared_ptr<Poison>& poison) {
  if (target.kind == Expression::Kind::kTuple || target.kind == Expression::Kind::kList) {
    for (const ExpressionPtr& each : target.children) poison_target(*each, poison);
    return;
  }
  const Expression* root = &target;
  while ((root->kind == Expression::Kind::kSubscript || root->kind == Expression::Kind::kAttribute ||
          root->kind == Expression::Kind::kCall || root->kind == Expression::Kind::kStarred) &&
         !root->children.empty())
    root = root->children[0].get();
  if (root->kind != Expression::Kind::kName) throw Failure::at_line(poison->line, poison->message);
  Value& variable = variable_to_store(root->symbol);
  if (const Numbers* numbers = variable.array(); numbers && root != &target) {
    numbers->buffer->fault = poison->message;
    numbers->buffer->fault_line = poison->line;
  }
  variable = Value{poison};
}

Value& Evaluator::variable_to_store(Symbol symbol) {
  const auto& globals = frame_->globals;
  const bool global = std::find(globals.begin(), globals.end(), symbol) != globals.end();
  return (global ? module_ : frame_)->variables[static_cast<size_t>(symbol)];
}

void Evaluator::store(const Expression& target, const Value& value) {
  switch (target.kind) {
    case Expression::Kind::kName:
      variable_to_store(target.symbol) = value;
      return;
    case Expression::Kind::kTuple:
    case Expression::Kind::kList:
      return store_items(target, elements_of(value));
    case Expression::Kind::kSubscript:
      return store_item(evaluate(*target.children[0]), evaluate(*target.children[1]), value);
    case Expression::Kind::kAttribute:
      if (evaluate(*target.children[0]).is<Named>()) return;  // a switch of a library
      [[fallthrough]];
    default:
      throw Failure("this cannot be assigned to");
  }
}

void Evaluator::store_items(const Expression& target, const Values& items) {
  const size_t wanted = target.children.size();
  const auto starred =
      std::find_if(target.children.begin(), target.children.end(),
                   [](const ExpressionPtr& each) { return each->kind == Expression::Kind::kStarred; });
  if (starred == target.children.end()) {
    if (items.size() != wanted) throw Failure("{} values for {} names", items.size(), wanted);
    for (size_t i = 0; i < wanted; ++i) store(*target.children[i], items[i]);
    return;
  }
  if (items.size() + 1 < wanted) throw Failure("{} values for {} names", items.size(), wanted);
  const auto before = static_cast<size_t>(starred - target.children.begin());
  const size_t after = wanted - before - 1;
  for (size_t i = 0; i < before; ++i) store(*target.children[i], items[i]);
  store(*(*starred)->children[0],
        list_of({items.begin() + static_cast<int64_t>(before), items.end() - static_cast<int64_t>(after)}));
  for (size_t i = 0; i < after; ++i) store(*target.children[before + 1 + i], items[items.size() - after + i]);
}

void Evaluator::store_item(const Value& container, const Value& index, const Value& value) {
  if (const Numbers* numbers = container.array()) return set_item(*numbers, index, value);
  machine_.watch(container);
  if (const auto* list = container.as<std::shared_ptr<List>>()) {
    Values& items = (*list)->items;
    items[static_cast<size_t>(place_of(integer_of(index), static_cast<int64_t>(items.size())))] = value;
    return;
  }
  const auto* dict = container.as<std::shared_ptr<Dict>>();
  if (!dict) throw Failure("an item of {} cannot be assigned to", kind_of(container));
  if (Value* held = find_key(**dict, index)) {
    *held = value;
    return;
  }
  if ((*dict)->keys.size() > kMostKeys) throw Failure("a dict with too many keys");
  (*dict)->keys.push_back(index);
  (*dict)->values.push_back(value);
}

Value Evaluator::make_closure(const std::shared_ptr<FunctionDefinition>& definition) {
  auto closure = std::make_shared<Closure>();
  closure->definition = definition;
  closure->outer = frame_;
  for (const ExpressionPtr& each : definition->defaults)
    closure->defaults.push_back(each ? evaluate(*each) : Value{});
  return {closure};
}

}  // namespace cuset::script
