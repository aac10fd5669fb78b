#include "text/jinja/operators.h"

#include <cmath>
#include <limits>

#include "text/jinja/loop.h"
#include "text/jinja/methods.h"

namespace cuset::text::jinja {
namespace {

void refuse_undefined(const Value& value) {
  if (const auto* missing = value.as<Undefined>()) fail("{}", *missing->why);
}

[[noreturn]] void unsupported(std::string_view op, const Value& a, const Value& b) {
  fail("unsupported operand types for {}: '{}' and '{}'", op, type_name(a), type_name(b));
}

[[noreturn]] void too_large() { fail("an integer beyond 64 bits is not supported"); }

double floored_quotient(double a, double b) {
  const double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0 && (remainder < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double floored = std::floor(quotient);
  return quotient - floored > 0.5 ? floored + 1 : floored;
}

double floored_remainder(double a, double b) {
  const double remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

Value integer_power(int64_t base, int64_t exponent) {
  int64_t result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) too_large();
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) too_large();
  }
  return result;
}

Value integer_binary(std::string_view op, int64_t a, int64_t b) {
  int64_t result = 0;
  if (op == "+" && !__builtin_add_overflow(a, b, &result)) return result;
  if (op == "-" && !__builtin_sub_overflow(a, b, &result)) return result;
  if (op == "*" && !__builtin_mul_overflow(a, b, &result)) return result;
  if (op == "+" || op == "-" || op == "*") too_large();
  if (op == "**") {
    if (b >= 0) return integer_power(a, b);
    if (a == 0) fail("0 cannot be raised to a negative power");
    return std::pow(static_cast<double>(a), static_cast<double>(b));
  }
  if (b == 0) fail("division by zero");
  if (op == "/") return static_cast<double>(a) / static_cast<double>(b);
  if (b == -1) {
    if (a == std::numeric_limits<int64_t>::min()) too_large();
    return op == "//" ? -a : int64_t{0};
  }
  const bool inexact = a % b != 0 && (a % b < 0) != (b < 0);
  return op == "//" ? a / b - (inexact ? 1 : 0) : a % b + (inexact ? b : 0);
}

Value real_power(double a, double b) {
  if (a == 0 && b < 0) fail("0.0 cannot be raised to a negative power");
  if (a < 0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b))
    fail("complex numbers are not supported");
  const double result = std::pow(a, b);
  if (std::isinf(result) && std::isfinite(a) && std::isfinite(b)) fail("the result of ** is too large");
  return result;
}

Value real_binary(std::string_view op, double a, double b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "**") return real_power(a, b);
  if (b == 0) fail("division by zero");
  if (op == "/") return a / b;
  return op == "//" ? floored_quotient(a, b) : floored_remainder(a, b);
}

// Jinja's Markup escapes what is added to it.
TextPtr add_safe_text(const Text& a, const Text& b, Budget& budget) {
  TextBuilder out;
  for (const Text* part : {&a, &b}) {
    budget.charge(part->remarking_cost());
    for (size_t i = 0; i < part->bytes.size(); ++i) {
      const char c = part->bytes[i];
      const char* escaped = part->is_safe ? nullptr
                            : c == '&'    ? "&amp;"
                            : c == '<'    ? "&lt;"
                            : c == '>'    ? "&gt;"
                            : c == '\''   ? "&#39;"
                            : c == '"'    ? "&#34;"
                                          : nullptr;
      if (escaped != nullptr)
        out.append_mapped(escaped, *part, i, i + 1);
      else
        out.append(*part, i, i + 1);
    }
  }
  Text sum = out.take();
  sum.is_safe = true;
  return std::make_shared<const Text>(std::move(sum));
}

Value add_sequences(const Value& a, const Value& b, Budget& budget) {
  budget.charge_items(a.items()->size() + b.items()->size());
  std::vector<Value> items = *a.items();
  items.insert(items.end(), b.items()->begin(), b.items()->end());
  return a.is<List>() ? make_list(std::move(items)) : make_tuple(std::move(items));
}

Value repeat_sequence(const Value& sequence, int64_t times, Budget& budget) {
  std::vector<Value> items;
  const auto& source = *sequence.items();
  for (int64_t i = 0; i < times && !source.empty(); ++i) {
    budget.charge_items(source.size());
    items.insert(items.end(), source.begin(), source.end());
  }
  return sequence.is<List>() ? make_list(std::move(items)) : make_tuple(std::move(items));
}

// A string, list or tuple times an integer, in either order; Missing if it is not that.
Value multiply(const Value& a, const Value& b, Budget& budget) {
  const bool repeats_a = a.text() != nullptr || a.items() != nullptr;
  const Value& repeated = repeats_a ? a : b;
  const auto times = (repeats_a ? b : a).integer();
  if (!times) return {};
  if (const Text* text = repeated.text()) return repeat(*text, *times, budget);
  if (repeated.items() != nullptr) return repeat_sequence(repeated, *times, budget);
  return {};
}

}  // namespace

Value apply_binary(std::string_view op, const Value& a, const Value& b, Budget& budget) {
  // 'text' % undefined formats it; every other operation on an undefined value fails.
  const bool formats = op == "%" && a.text() != nullptr;
  refuse_undefined(a);
  if (!formats) refuse_undefined(b);
  if (a.is_number() && b.is_number()) {
    if (a.is<double>() || b.is<double>()) return real_binary(op, a.real(), b.real());
    return integer_binary(op, *a.integer(), *b.integer());
  }
  if (formats) {
    // Undefined defines __rmod__, but str.__mod__ comes first.
    if (a.text()->is_safe) fail("% on text marked safe is not supported");
    return format_percent(*a.text(), b, budget);
  }
  if (op == "+") {
    if (a.text() != nullptr && b.text() != nullptr) {
      const bool safe = a.text()->is_safe || b.text()->is_safe;
      return safe ? add_safe_text(*a.text(), *b.text(), budget) : concatenate(*a.text(), *b.text(), budget);
    }
    if (a.data().index() == b.data().index() && a.items() != nullptr) return add_sequences(a, b, budget);
  }
  if (op == "*") {
    if (Value product = multiply(a, b, budget); !product.is_missing()) return product;
  }
  if (a.is<View>() || b.is<View>()) fail("{} between dictionary views is not supported", op);
  unsupported(op, a, b);
}

Value negated(const Value& value) {
  refuse_undefined(value);
  if (const auto* number = value.as<double>()) return -*number;
  const auto number = value.integer();
  if (!number) fail("bad operand type for unary -: '{}'", type_name(value));
  if (*number == std::numeric_limits<int64_t>::min()) too_large();
  return -*number;
}

Value unchanged_number(const Value& value) {
  refuse_undefined(value);
  if (value.is<double>()) return value;
  const auto number = value.integer();
  if (!number) fail("bad operand type for unary +: '{}'", type_name(value));
  return *number;
}

bool compare(std::string_view op, const Value& a, const Value& b, Budget& budget) {
  if (op == "==") return equal(a, b, budget);
  if (op == "!=") return !equal(a, b, budget);
  if (op == "in") return contains(b, a, budget);
  if (op == "not in") return !contains(b, a, budget);
  if (op == "<") return less(a, b, budget);
  if (op == ">") return less(b, a, budget);
  // NaN makes both < and == false, and sequences compare item by item, so <= is not the reverse of >.
  if (a.is_number() && b.is_number())
    return less(op == "<=" ? a : b, op == "<=" ? b : a, budget) || equal(a, b, budget);
  return op == "<=" ? !less(b, a, budget) : !less(a, b, budget);
}

Value get_attribute(const Value& value, std::string_view name, Budget& budget) {
  refuse_undefined(value);
  if (Value found = own_attribute(value, name); !found.is_missing()) return found;
  if (const Dict* dict = value.dict()) {
    if (const Value* item = find_key(*dict, name, budget)) return *item;
  }
  return undefined(fmt::format("'{}' has no attribute '{}'", type_name(value), name));
}

Value get_item(const Value& value, const Value& index, Budget& budget) {
  refuse_undefined(value);
  if (const Dict* dict = value.dict()) {
    if (is_hashable(index)) {
      if (const Value* item = find_key(*dict, index, budget)) return *item;
    }
  }
  if (const auto number = index.integer()) {
    if (const Text* text = value.text()) {
      if (TextPtr character = character_at(*text, *number, budget)) return character;
    }
    const auto size =
        value.items() != nullptr || value.is<Range>() ? static_cast<int64_t>(*size_of(value)) : 0;
    const int64_t position = *number < 0 ? *number + size : *number;
    if (position >= 0 && position < size) {
      if (const auto* range = value.as<Range>()) return (*range)[position];
      return (*value.items())[static_cast<size_t>(position)];
    }
  }
  if (const Text* name = index.text()) {
    if (Value found = own_attribute(value, name->bytes); !found.is_missing()) return found;
    return undefined(fmt::format("'{}' has no attribute '{}'", type_name(value), name->bytes));
  }
  return undefined(fmt::format("{} has no such element", type_name(value)));
}

Value get_slice(const Value& value, const Slice& slice, Budget& budget) {
  refuse_undefined(value);
  if (const Text* text = value.text()) return slice_text(*text, slice, budget);
  if (value.is<Range>()) fail("slicing a range is not supported; make a list of it first");
  const auto* items = value.items();
  if (items == nullptr) fail("'{}' cannot be sliced", type_name(value));
  const SliceRange part = resolve_slice(slice, items->size());
  budget.charge_items(static_cast<size_t>(part.count));
  std::vector<Value> picked;
  picked.reserve(static_cast<size_t>(part.count));
  for (int64_t i = 0; i < part.count; ++i)
    picked.push_back((*items)[static_cast<size_t>(part.start + i * part.step)]);
  return value.is<List>() ? make_list(std::move(picked)) : make_tuple(std::move(picked));
}

}  // namespace cuset::text::jinja
