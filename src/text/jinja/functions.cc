// What templates call: macros, and the functions that every template has (range, dict, namespace,
// raise_exception, strftime_now).
#include "text/jinja/evaluator.h"
#include "text/jinja/methods.h"

namespace cuset::text::jinja {
namespace {

// The sandbox of Jinja2 allows ranges up to this length.
constexpr int64_t kLongestRange = 100000;

}  // namespace

Value Evaluator::call(const Value& callee, Arguments arguments) {
  if (const auto* method = callee.as<std::shared_ptr<const Method>>())
    return call_method(**method, arguments, budget_);
  if (const auto* macro = callee.as<std::shared_ptr<const Macro>>())
    return call_macro(**macro, std::move(arguments));
  if (const auto* builtin = callee.as<Builtin>()) return call_builtin(builtin->name, arguments);
  if (const auto* missing = callee.as<Undefined>()) fail("{}", *missing->why);
  fail("'{}' object is not callable", type_name(callee));
}

Value Evaluator::call_macro(const Macro& macro, Arguments arguments) {
  // Keeps the code's variables alive even if the macro's value is overwritten meanwhile.
  const auto closure = macro.closure;
  auto activation = std::make_shared<Activation>();
  activation->outer = closure;
  activation->slots.resize(macro.function->scope.slots);
  budget_.charge_items(activation->slots.size() + 1);
  bind_parameters(macro, arguments, *activation);
  const Function& function = *macro.function;
  const auto outer = std::exchange(frame_, activation);
  enter(function.scope);
  fill_defaults(function);
  outputs_.emplace_back();
  run(function.body);
  Value text = outputs_.back().finish();
  outputs_.pop_back();
  frame_ = outer;
  return text;
}

void Evaluator::bind_parameters(const Macro& macro, Arguments& arguments, Activation& activation) {
  const Function& function = *macro.function;
  const auto take = [&](std::string_view name) -> Value {
    auto& named = arguments.named;
    const auto found =
        std::find_if(named.begin(), named.end(), [&](const auto& item) { return item.first == name; });
    if (found == named.end()) return {};
    Value value = std::move(found->second);
    named.erase(found);
    return value;
  };
  const size_t count = function.parameters.size();
  const size_t positional = std::min(arguments.positional.size(), count);
  for (size_t i = 0; i < count; ++i) {
    activation.slots[function.parameter_slots[i].index] =
        i < positional ? arguments.positional[i] : take(function.parameters[i]);
  }
  if (function.uses_caller) {
    Value caller = take("caller");
    const bool is_absent = caller.is_missing() || caller.is<None>();
    activation.slots[function.caller_slot.index] =
        is_absent ? undefined("No caller defined") : std::move(caller);
  }
  if (function.uses_kwargs) {
    std::vector<std::pair<Value, Value>> items;
    for (auto& [name, value] : arguments.named) items.emplace_back(text_value(name), std::move(value));
    activation.slots[function.kwargs_slot.index] = make_dict(std::move(items));
  } else if (!arguments.named.empty()) {
    fail("macro '{}' takes no keyword argument '{}'", macro.name, arguments.named[0].first);
  }
  if (function.uses_varargs) {
    const auto rest = arguments.positional.begin() + static_cast<std::ptrdiff_t>(positional);
    activation.slots[function.varargs_slot.index] = make_tuple({rest, arguments.positional.end()});
  } else if (arguments.positional.size() > count) {
    fail("macro '{}' takes not more than {} argument(s)", macro.name, count);
  }
}

void Evaluator::fill_defaults(const Function& function) {
  const size_t required = function.parameters.size() - function.defaults.size();
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    if (!slot(function.parameter_slots[i]).is_missing()) continue;
    Value value = i >= required
                      ? evaluate(*function.defaults[i - required])
                      : undefined(fmt::format("parameter '{}' was not provided", function.parameters[i]));
    slot(function.parameter_slots[i]) = std::move(value);
  }
}

Value Evaluator::call_builtin(std::string_view name, const Arguments& arguments) {
  if (name == "range") return make_range(arguments);
  if (name == "dict") return make_dict_from(arguments);
  if (name == "namespace") return make_namespace(arguments);
  if (name == "strftime_now") return format_now(arguments);
  const BoundArguments bound(arguments, {"message"}, 1);
  fail("the template refuses this conversation: {}", to_text(bound[0], budget_)->bytes);
}

Value Evaluator::make_range(const Arguments& arguments) const {
  const auto& values = arguments.positional;
  if (!arguments.named.empty() || values.empty() || values.size() > 3)
    fail("range takes one to three integers");
  int64_t numbers[3] = {0, 0, 1};
  for (size_t i = 0; i < values.size(); ++i) {
    const auto number = values[i].integer();
    if (!number) fail("range needs integers, not {}", type_name(values[i]));
    numbers[values.size() == 1 ? 1 : i] = *number;
  }
  const Range range{numbers[0], numbers[1], numbers[2]};
  if (range.step == 0) fail("range() arg 3 must not be zero");
  if (range.step == INT64_MIN || range.size() > kLongestRange) {
    fail("ranges longer than {} are not allowed", kLongestRange);
  }
  return range;
}

Value Evaluator::make_dict_from(const Arguments& arguments) {
  std::vector<std::pair<Value, Value>> items;
  const auto put = [&](const Value& key, const Value& value) {
    if (!is_hashable(key)) fail("unhashable type: '{}'", type_name(key));
    for (auto& item : items) {
      if (equal(item.first, key, budget_)) {
        item.second = value;
        return;
      }
    }
    items.emplace_back(key, value);
  };
  if (arguments.positional.size() > 1) fail("dict takes at most one positional argument");
  if (!arguments.positional.empty()) {
    const Value& source = arguments.positional[0];
    if (const auto* missing = source.as<Undefined>()) fail("{}", *missing->why);
    if (const Dict* dict = source.dict()) {
      budget_.charge_items(dict->items.size());
      items = dict->items;
    } else {
      for (const Value& pair : to_vector(source, budget_)) {
        const std::vector<Value> parts = to_vector(pair, budget_);
        if (parts.size() != 2) fail("dict needs pairs, not sequences of {}", parts.size());
        put(parts[0], parts[1]);
      }
    }
  }
  for (const auto& [name, value] : arguments.named) put(text_value(name), value);
  return make_dict(std::move(items));
}

Value Evaluator::make_namespace(const Arguments& arguments) {
  const Value dict = make_dict_from(arguments);
  auto space = std::make_shared<Namespace>();
  for (const auto& [key, value] : dict.dict()->items) {
    if (key.text() == nullptr) fail("names in a namespace are strings, not {}", type_name(key));
    space->attributes.emplace_back(key.text()->bytes, value);
  }
  budget_.charge_items(space->attributes.size() + 1);
  namespaces_.push_back(space);
  return space;
}

Value Evaluator::format_now(const Arguments& arguments) {
  const BoundArguments bound(arguments, {"format"}, 1);
  const Text* format = bound[0].text();
  if (format == nullptr) fail("strftime_now needs a string, not {}", type_name(bound[0]));
  std::tm now{};
  if (now_) {
    now = *now_;
  } else {
    const std::time_t seconds = std::time(nullptr);
    ::localtime_r(&seconds, &now);
  }
  if (format->bytes.size() > 256 || format->bytes.find('\0') != std::string::npos)
    fail("bad format of strftime_now");
  char buffer[8192];
  const size_t size = std::strftime(buffer, sizeof buffer, format->bytes.c_str(), &now);
  const std::string_view text(buffer, size);
  if (find_invalid_utf8(text) != std::string_view::npos) fail("bad format of strftime_now");
  return text_value(text);
}

}  // namespace cuset::text::jinja
