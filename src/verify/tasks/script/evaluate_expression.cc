// Expressions, for evaluator.h.
#include <algorithm>
#include <cmath>
#include <limits>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/evaluator.h"
#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/indexing.h"
#include "verify/tasks/script/python_numbers.h"

namespace cuset::script {

using Kind = Expression::Kind;

namespace {

// Counts a level of the evaluator's recursion.
struct Level {
  Budget& budget;
  explicit Level(Budget& of) : budget(of) { budget.enter(); }
  ~Level() { budget.leave(); }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
};

void check_whole(const Value& value) {
  if (const auto* poison = value.as<std::shared_ptr<Poison>>())
    throw Failure::at_line((*poison)->line, (*poison)->message);
  if (const Numbers* numbers = value.array(); numbers && !numbers->buffer->fault.empty())
    throw Failure::at_line(numbers->buffer->fault_line, numbers->buffer->fault);
}

Value string_item(const std::string& text, const Value& index) {
  const auto length = static_cast<int64_t>(text.size());
  const auto* slice = index.as<std::shared_ptr<Slice>>();
  if (!slice) return of(std::string(1, text[static_cast<size_t>(place_of(integer_of(index), length))]));
  const Span span = span_of(**slice, length);
  std::string taken;
  for (int64_t i = 0; i < span.count; ++i) taken += text[static_cast<size_t>(span.start + i * span.step)];
  return of(std::move(taken));
}

}  // namespace

Value Evaluator::evaluate(const Expression& expression) {
  const Level level(*machine_.budget);
  machine_.budget->step();
  switch (expression.kind) {
    case Kind::kName:
      return evaluate_name(expression);
    case Kind::kFormatted:
      return evaluate_formatted(expression);
    case Kind::kTuple:
      return tuple_of(evaluate_all(expression, 0));
    case Kind::kList:
    case Kind::kSet:
      return list_of(evaluate_all(expression, 0));
    case Kind::kDict:
      return evaluate_dict(expression);
    case Kind::kAttribute:
      return evaluate_attribute(expression);
    case Kind::kSubscript:
      return evaluate_subscript(expression);
    case Kind::kSlice:
      return evaluate_slice(expression);
    case Kind::kCall:
      return evaluate_call(expression);
    case Kind::kStarred:
      throw Failure("a star outside of a call");
    case Kind::kUnary:
      return unary(expression.operators[0], evaluate(*expression.children[0]));
    case Kind::kBinary: {
      const Value left = evaluate(*expression.children[0]);
      return binary(expression.operators[0], left, evaluate(*expression.children[1]), machine_.budget);
    }
    case Kind::kCompare:
      return evaluate_compare(expression);
    case Kind::kAnd:
    case Kind::kOr:
      return evaluate_logic(expression);
    case Kind::kConditional:
      return evaluate(*expression.children[truth(evaluate(*expression.children[0])) ? 1 : 2]);
    case Kind::kLambda:
      return make_closure(expression.function);
    case Kind::kComprehension:
      return evaluate_comprehension(expression);
    default:
      return evaluate_plain(expression);
  }
}

Value Evaluator::evaluate_plain(const Expression& expression) {
  switch (expression.kind) {
    case Kind::kInteger:
      return of(expression.integer);
    case Kind::kFloat:
      return of(expression.number);
    case Kind::kString:
      return of(expression.text);
    case Kind::kTrue:
      return of(true);
    case Kind::kFalse:
      return of(false);
    case Kind::kEllipsis:
      return {EllipsisMark{}};
    default:
      return none();
  }
}

// A failed value may lie in a list as long as nobody takes it out to use it.
Value Evaluator::evaluate_item(const Expression& expression) {
  if (expression.kind == Kind::kName) {
    const Value& value = frame_->variables[static_cast<size_t>(expression.symbol)];
    if (value.is<std::shared_ptr<Poison>>()) return value;
  }
  return evaluate(expression);
}

Value Evaluator::evaluate_name(const Expression& expression) {
  for (const Frame* frame = frame_.get(); frame; frame = frame->outer.get()) {
    const Value& value = frame->variables[static_cast<size_t>(expression.symbol)];
    if (value.is<Unset>()) continue;
    check_whole(value);
    return value;
  }
  if (expression.text == "__name__") return of(std::string("__main__"));
  if (expression.text == "__file__") return of(std::string("gen.py"));
  if (is_builtin(expression.text) || type_named_by(named("builtins." + expression.text)))
    return named("builtins." + expression.text);
  throw Failure("the name {} is not defined", expression.text);
}

Value Evaluator::evaluate_formatted(const Expression& expression) {
  std::string text;
  for (size_t i = 0; i < expression.children.size(); ++i)
    text += formatted(evaluate(*expression.children[i]), expression.formats[i]);
  return of(std::move(text));
}

Values Evaluator::evaluate_all(const Expression& expression, size_t first) {
  Values items;
  items.reserve(expression.children.size());
  for (size_t i = first; i < expression.children.size(); ++i) {
    const Expression& child = *expression.children[i];
    if (child.kind != Kind::kStarred) {
      items.push_back(first == 0 ? evaluate_item(child) : evaluate(child));
      continue;
    }
    for (Value& each : elements_of(evaluate(*child.children[0]))) items.push_back(std::move(each));
    machine_.budget->count_items(items.size());
  }
  return items;
}

Value Evaluator::evaluate_dict(const Expression& expression) {
  const Value result{std::make_shared<Dict>()};
  for (size_t i = 0; i + 1 < expression.children.size(); i += 2)
    store_item(result, evaluate(*expression.children[i]), evaluate_item(*expression.children[i + 1]));
  return result;
}

Value Evaluator::evaluate_attribute(const Expression& expression) {
  const Value base = evaluate(*expression.children[0]);
  if (const auto* name = base.as<Named>()) return module_attribute(*name->path, expression.text);
  if (const Numbers* numbers = base.array()) return array_attribute(*numbers, expression.text);
  if (base.is<Scalar>())
    return array_attribute(array_of(base, {machine_.budget}, std::nullopt), expression.text);
  throw Failure(".{} of {}", expression.text, kind_of(base));
}

Value Evaluator::evaluate_subscript(const Expression& expression) {
  const Value base = evaluate(*expression.children[0]);
  return subscripted(base, evaluate(*expression.children[1]));
}

Value Evaluator::evaluate_slice(const Expression& expression) {
  const auto part = [&](size_t i) {
    return expression.children[i] ? evaluate(*expression.children[i]) : none();
  };
  return {std::make_shared<Slice>(Slice{part(0), part(1), part(2)})};
}

Value Evaluator::evaluate_compare(const Expression& expression) {
  Value left = evaluate(*expression.children[0]);
  Value result;
  for (size_t i = 0; i < expression.operators.size(); ++i) {
    Value right = evaluate(*expression.children[i + 1]);
    result = compare(expression.operators[i], left, right, machine_.budget);
    if (i + 1 < expression.operators.size() && !truth(result)) return of(false);
    left = std::move(right);
  }
  return result;
}

Value Evaluator::evaluate_logic(const Expression& expression) {
  Value value;
  for (const ExpressionPtr& child : expression.children) {
    value = evaluate(*child);
    if (truth(value) == (expression.kind == Kind::kOr)) break;
  }
  return value;
}

Value Evaluator::evaluate_comprehension(const Expression& expression) {
  if (expression.children.size() == 2) {
    const Value result{std::make_shared<Dict>()};
    run_clauses(expression, 0, [&] {
      store_item(result, evaluate(*expression.children[0]), evaluate(*expression.children[1]));
    });
    return result;
  }
  Values items;
  run_clauses(expression, 0, [&] {
    machine_.budget->count_items(1);
    items.push_back(evaluate(*expression.children[0]));
  });
  return list_of(std::move(items));
}

void Evaluator::run_clauses(const Expression& expression, size_t number,
                            const std::function<void()>& element) {
  if (number == expression.clauses.size()) return element();
  const Expression::Clause& clause = expression.clauses[number];
  for (const Value& item : elements_of(evaluate(*clause.iterable))) {
    machine_.budget->step();
    store(*clause.target, item);
    const bool wanted =
        std::all_of(clause.conditions.begin(), clause.conditions.end(),
                    [&](const ExpressionPtr& condition) { return truth(evaluate(*condition)); });
    if (wanted) run_clauses(expression, number + 1, element);
  }
}

Value Evaluator::evaluate_call(const Expression& expression) {
  const Expression& callee = *expression.children[0];
  std::vector<std::pair<std::string, Value>> keywords;
  const auto evaluate_keywords = [&] {
    for (const auto& [name, value] : expression.keywords) {
      Value held = evaluate(*value);
      if (!name.empty()) {
        keywords.emplace_back(name, std::move(held));
      } else if (const auto* dict = held.as<std::shared_ptr<Dict>>()) {
        for (size_t i = 0; i < (*dict)->keys.size(); ++i)
          keywords.emplace_back(string_of((*dict)->keys[i]), (*dict)->values[i]);
      }
    }
  };
  if (callee.kind == Kind::kAttribute) {
    const Value base = evaluate(*callee.children[0]);
    if (!base.is<Named>()) {
      Values positional = evaluate_all(expression, 1);
      evaluate_keywords();
      line_ = expression.line;
      return call_method(base, callee.text, std::move(positional), std::move(keywords));
    }
  }
  const Value function = evaluate(callee);
  Values positional = evaluate_all(expression, 1);
  evaluate_keywords();
  line_ = expression.line;
  return call_value(function, std::move(positional), std::move(keywords));
}

Value Evaluator::call_library(const std::string& path, Values positional,
                              std::vector<std::pair<std::string, Value>> keywords) {
  const Function function = find_function(path);
  const bool torch = path.compare(0, 5, "torch") == 0;
  if (function) {
    Call call{machine_, path, torch, std::move(positional), std::move(keywords)};
    return function(call);
  }
  if (const auto type = type_named_by(named(path)); type && positional.size() == 1)
    return of(array_of(positional[0], {machine_.budget, *type, torch}, type));
  throw Failure("{} is not understood", path);
}

Value Evaluator::call_method(const Value& base, const std::string& name, Values positional,
                             std::vector<std::pair<std::string, Value>> keywords) {
  const bool number = base.array() || base.is<Scalar>();
  const Function function = number ? find_array_method(name) : find_method(base, name);
  if (!function) throw Failure(".{}() of {} is not understood", name, kind_of(base));
  positional.insert(positional.begin(),
                    base.is<Scalar>() ? of(array_of(base, {machine_.budget}, std::nullopt)) : base);
  const bool torch = number && positional[0].array()->torch;
  Call call{machine_, name, torch, std::move(positional), std::move(keywords)};
  return function(call);
}

Value Evaluator::call_value(const Value& callee, Values positional,
                            std::vector<std::pair<std::string, Value>> keywords) {
  if (const auto* closure = callee.as<std::shared_ptr<Closure>>())
    return call_closure(**closure, std::move(positional), std::move(keywords));
  if (const auto* name = callee.as<Named>())
    return call_library(*name->path, std::move(positional), std::move(keywords));
  throw Failure("{} cannot be called", kind_of(callee));
}

Value Evaluator::call_closure(const Closure& closure, Values positional,
                              std::vector<std::pair<std::string, Value>> keywords) {
  const Level level(*machine_.budget);
  auto frame = std::make_shared<Frame>();
  frame->variables.resize(program_.symbols.size());
  frame->outer = closure.outer;
  bind(closure, *frame, std::move(positional), std::move(keywords));
  const auto caller = std::exchange(frame_, frame);
  const int line = line_;
  try {
    const Flow flow = run_block(closure.definition->body);
    Value result = flow == Flow::kReturn ? std::exchange(returned_, Value{}) : none();
    frame_ = caller;
    line_ = line;
    keep_in_sight(frame);
    return result;
  } catch (Failure& failure) {
    if (failure.line == 0) failure.line = line_;
    frame_ = caller;
    keep_in_sight(frame);
    throw;
  } catch (const ScriptExit&) {
    frame_ = caller;
    keep_in_sight(frame);
    throw;
  }
}

// A frame that outlives its call may be part of a cycle.
void Evaluator::keep_in_sight(const std::shared_ptr<Frame>& frame) {
  if (frame.use_count() <= 1) return;
  machine_.budget->count_items(frame->variables.size());
  frames_.push_back(frame);
}

void Evaluator::bind(const Closure& closure, Frame& frame, Values positional,
                     std::vector<std::pair<std::string, Value>> keywords) {
  const FunctionDefinition& definition = *closure.definition;
  const auto variable = [&](Symbol symbol) -> Value& { return frame.variables[static_cast<size_t>(symbol)]; };
  for (size_t i = 0; i < definition.parameters.size(); ++i) {
    if (i < positional.size())
      variable(definition.parameters[i]) = std::move(positional[i]);
    else
      variable(definition.parameters[i]) = closure.defaults[i];
  }
  if (positional.size() > definition.parameters.size()) {
    if (definition.rest < 0) throw Failure("{} arguments for {}", positional.size(), definition.text);
    variable(definition.rest) =
        tuple_of({positional.begin() + static_cast<int64_t>(definition.parameters.size()), positional.end()});
  } else if (definition.rest >= 0) {
    variable(definition.rest) = tuple_of({});
  }
  const Value rest{std::make_shared<Dict>()};
  for (auto& [name, value] : keywords) {
    const auto found = std::find(definition.parameter_names.begin(), definition.parameter_names.end(), name);
    if (found != definition.parameter_names.end())
      variable(definition.parameters[static_cast<size_t>(found - definition.parameter_names.begin())]) =
          std::move(value);
    else if (definition.keywords >= 0)
      store_item(rest, of(name), value);
    else
      throw Failure("{} has no parameter {}", definition.text, name);
  }
  if (definition.keywords >= 0) variable(definition.keywords) = rest;
  for (size_t i = 0; i < definition.parameters.size(); ++i)
    if (variable(definition.parameters[i]).is<Unset>())
      throw Failure("{} is called without {}", definition.text, definition.parameter_names[i]);
}

Value subscripted(const Value& container, const Value& index) {
  if (const Numbers* numbers = container.array()) return item_of(*numbers, index);
  if (const auto* dict = container.as<std::shared_ptr<Dict>>()) {
    if (const Value* held = find_key(**dict, index)) return *held;
    throw Failure("a key that the dict does not have");
  }
  const Values* items = container.items();
  if (const std::string* text = container.string()) return string_item(*text, index);
  if (const auto* range = container.as<Range>())
    return of(range->start + place_of(integer_of(index), range->count()) * range->step);
  if (!items) throw Failure("an item of {}", kind_of(container));
  const auto length = static_cast<int64_t>(items->size());
  const auto* slice = index.as<std::shared_ptr<Slice>>();
  if (!slice) return (*items)[static_cast<size_t>(place_of(integer_of(index), length))];
  const Span span = span_of(**slice, length);
  Values taken;
  for (int64_t i = 0; i < span.count; ++i)
    taken.push_back((*items)[static_cast<size_t>(span.start + i * span.step)]);
  return container.is<std::shared_ptr<Tuple>>() ? tuple_of(std::move(taken)) : list_of(std::move(taken));
}

Value module_attribute(const std::string& path, const std::string& name) {
  const bool numeric = path == "numpy" || path == "math" || path == "torch";
  if (numeric && name == "pi") return of(M_PI);
  if (numeric && name == "e") return of(M_E);
  if (numeric && (name == "inf" || name == "Inf" || name == "infty"))
    return of(std::numeric_limits<double>::infinity());
  if (numeric && (name == "nan" || name == "NaN")) return of(std::numeric_limits<double>::quiet_NaN());
  if (name == "newaxis") return none();
  if (path == "sys" && name == "argv") return list_of({of(std::string("gen.py"))});
  return named(path + "." + name);
}

Value array_attribute(const Numbers& numbers, const std::string& name) {
  if (name == "shape") {
    Values sides;
    for (const int64_t side : numbers.shape) sides.push_back(of(side));
    return tuple_of(std::move(sides));
  }
  if (name == "T" || name == "mT") return array_transposed(numbers);
  if (name == "dtype") return dtype_value(numbers.type, numbers.torch);
  if (name == "size") return of(numbers.count());
  if (name == "ndim") return of(numbers.rank());
  if (name == "itemsize") return of(static_cast<int64_t>(bytes_of(numbers.type)));
  if (name == "nbytes") return of(static_cast<int64_t>(bytes_of(numbers.type)) * numbers.count());
  if (name == "data" || name == "real") return of(numbers);
  if (name == "flat") return of(reshaped(numbers, {-1}));
  if (name == "device") return of(std::string("cpu"));
  if (name == "grad") return none();
  throw Failure(".{} of an array is not understood", name);
}

}  // namespace cuset::script
