#include "text/jinja/filters.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "text/jinja/case.h"
#include "text/jinja/literal.h"
#include "text/jinja/strings.h"

namespace cuset::text::jinja {
namespace {

void refuse_undefined(const Value& value) {
  if (const auto* missing = value.as<Undefined>()) fail("{}", *missing->why);
}

// Text filters take any value and print it first, as Python's str() does.
Value filter_upper(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  return upper_case(*to_text(v, budget), budget);
}

Value filter_lower(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  return lower_case(*to_text(v, budget), budget);
}

Value filter_capitalize(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  return capitalized(*to_text(v, budget), budget);
}

Value filter_title(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  return title_words(*to_text(v, budget), budget);
}

Value filter_string(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  return to_text(v, budget);
}

Value filter_safe(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  Text text = *to_text(v, budget);
  budget.charge(2 * text.cost());
  text.is_safe = true;
  return std::make_shared<const Text>(std::move(text));
}

Value filter_trim(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"chars"});
  const Value* characters = bound.given(0);
  if (characters != nullptr && characters->text() == nullptr)
    fail("trim needs a string, not {}", type_name(*characters));
  return strip(*to_text(v, budget), characters == nullptr ? nullptr : characters->text(), Side::both, budget);
}

Value filter_replace(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"old", "new", "count"}, 2);
  const TextPtr old_text = to_text(bound[0], budget);
  const TextPtr new_text = to_text(bound[1], budget);
  const int64_t limit = bound.given(2) == nullptr ? -1 : bound.integer(2, -1);
  return replace(*to_text(v, budget), {*old_text, *new_text, limit}, budget);
}

// The text that indents a line: a string, or a number of spaces.
TextPtr indentation(const Value* width, Budget& budget) {
  if (width == nullptr) return make_text("    ");
  if (const auto* text = width->as<TextPtr>()) return *text;
  const auto count = width->integer();
  if (!count) fail("indent needs a number or a string, not {}", type_name(*width));
  return repeat(Text{" ", {}, false}, *count, budget);
}

Value filter_indent(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"width", "first", "blank"});
  refuse_undefined(v);
  if (v.text() == nullptr) fail("indent needs a string, not {}", type_name(v));
  if (v.text()->is_safe) fail("indent of text marked safe is not supported");
  const TextPtr indent = indentation(bound.at(0), budget);
  const TextPtr closed = concatenate(*v.text(), Text{"\n", {}, false}, budget);
  TextBuilder out;
  bool is_first = true;
  for (const Value& line : split_lines(*closed, false, budget)) {
    const Text& text = *line.text();
    budget.charge(2 * (text.cost() + indent->cost()));
    if (!is_first) out.append("\n");
    const bool wants_indent = is_first ? bound.flag(1) : bound.flag(2) || !text.bytes.empty();
    if (wants_indent) out.append(*indent);
    out.append(text);
    is_first = false;
  }
  return out.finish();
}

Value filter_default(const Value& v, const Arguments& arguments, Budget&) {
  const BoundArguments bound(arguments, {"default_value", "boolean"});
  const bool replaced = v.is_undefined() || (bound.flag(1) && !is_true(v));
  if (!replaced) return v;
  return bound.at(0) == nullptr ? text_value("") : bound[0];
}

Value filter_length(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments none(arguments, {});
  const auto size = size_of(v);
  if (!size) fail("object of type '{}' has no length", type_name(v));
  if (v.text() != nullptr) budget.charge(v.text()->bytes.size());
  return static_cast<int64_t>(*size);
}

// int(number) for a float; nothing where Python raises ValueError, a failure where it raises OverflowError.
std::optional<int64_t> truncated(double number) {
  if (std::isnan(number)) return std::nullopt;
  if (!(std::abs(number) < 9.2e18)) fail("the number {} does not fit 64 bits", float_repr(number));
  return static_cast<int64_t>(number);
}

Value filter_int(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"default", "base"});
  refuse_undefined(v);
  Value otherwise = bound.at(0) == nullptr ? Value(0) : bound[0];
  if (const auto number = v.integer()) return *number;
  if (const auto* number = v.as<double>()) {
    const auto value = truncated(*number);
    return value ? Value(*value) : otherwise;
  }
  const Text* text = v.text();
  if (text == nullptr) return otherwise;
  budget.charge(text->bytes.size());
  const int64_t base = bound.integer(1, 10);
  if (base != 0 && (base < 2 || base > 36)) return otherwise;
  if (const auto parsed = parse_python_int(text->bytes, static_cast<int>(base))) {
    if (!parsed->fits) fail("an integer beyond 64 bits is not supported");
    return parsed->value;
  }
  const auto number = parse_python_float(text->bytes);
  if (!number || !std::isfinite(*number)) return otherwise;
  return *truncated(*number);
}

Value filter_float(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"default"});
  refuse_undefined(v);
  if (v.is_number()) return v.real();
  Value otherwise = bound.at(0) == nullptr ? Value(0.0) : bound[0];
  if (v.text() == nullptr) return otherwise;
  budget.charge(v.text()->bytes.size());
  const auto number = parse_python_float(v.text()->bytes);
  return number ? Value(*number) : otherwise;
}

Value filter_abs(const Value& v, const Arguments& arguments, Budget&) {
  const BoundArguments none(arguments, {});
  if (const auto* number = v.as<double>()) return std::abs(*number);
  const auto number = v.integer();
  if (!number) fail("bad operand type for abs(): '{}'", type_name(v));
  if (*number == INT64_MIN) fail("an integer beyond 64 bits is not supported");
  return std::abs(*number);
}

// round() of Python: to even at ties, decided on the exact binary value.
Value round_common(const Value& v, int64_t precision) {
  if (v.integer() && precision >= 0) return *v.integer();
  if (precision < 0) fail("round with a negative precision is not supported");
  const double number = v.real();
  if (!std::isfinite(number) || precision > 300) return number;
  return std::strtod(fmt::format("{:.{}f}", number, static_cast<int>(precision)).c_str(), nullptr);
}

Value filter_round(const Value& v, const Arguments& arguments, Budget& budget) {
  const BoundArguments bound(arguments, {"precision", "method"});
  const int64_t precision = bound.integer(0, 0);
  std::string method = "common";
  if (bound.at(1) != nullptr) method = to_text(bound[1], budget)->bytes;
  if (method != "common" && method != "ceil" && method != "floor")
    fail("method must be common, ceil or floor");
  refuse_undefined(v);
  if (!v.is_number()) fail("'{}' cannot be rounded", type_name(v));
  if (method == "common") return round_common(v, precision);
  if (precision < 0 || precision > 15) fail("round with precision {} is not supported", precision);
  const double scale = std::pow(10.0, static_cast<double>(precision));
  const double scaled = v.real() * scale;
  if (!std::isfinite(scaled)) fail("a number that is not finite cannot be rounded");
  const double rounded = method == "ceil" ? std::ceil(scaled) : std::floor(scaled);
  // Python goes through an integer, which has no negative zero.
  return (rounded == 0 ? 0.0 : rounded) / scale;
}

}  // namespace

FilterFunction find_value_filter(std::string_view name) {
  static const std::map<std::string_view, FilterFunction> kFilters = {
      {"abs", filter_abs},
      {"capitalize", filter_capitalize},
      {"count", filter_length},
      {"d", filter_default},
      {"default", filter_default},
      {"float", filter_float},
      {"from_json", filter_from_json},
      {"indent", filter_indent},
      {"int", filter_int},
      {"length", filter_length},
      {"lower", filter_lower},
      {"replace", filter_replace},
      {"round", filter_round},
      {"safe", filter_safe},
      {"string", filter_string},
      {"title", filter_title},
      {"tojson", filter_tojson},
      {"trim", filter_trim},
      {"upper", filter_upper},
  };
  const auto found = kFilters.find(name);
  return found == kFilters.end() ? nullptr : found->second;
}

bool is_known_filter(std::string_view name) {
  return find_value_filter(name) != nullptr || find_sequence_filter(name) != nullptr;
}

Value apply_filter(std::string_view name, const Value& value, const Arguments& arguments, Budget& budget) {
  budget.step();
  FilterFunction filter = find_value_filter(name);
  if (filter == nullptr) filter = find_sequence_filter(name);
  if (filter == nullptr) fail("filter '{}' is not supported", name);
  return filter(value, arguments, budget);
}

}  // namespace cuset::text::jinja
