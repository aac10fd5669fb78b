// Arithmetic, attribute and item access of values.
#pragma once

#include <string_view>

#include "text/jinja/strings.h"
#include "text/jinja/value.h"

namespace cuset::text::jinja {

// `a op b` for + - * / // % **. Integers are 64 bits wide; a result beyond that fails, where Python would go
// on.
Value apply_binary(std::string_view op, const Value& a, const Value& b, Budget& budget);
Value negated(const Value& value);
// +value.
Value unchanged_number(const Value& value);
// `a op b` for == != < <= > >= in, "not in".
bool compare(std::string_view op, const Value& a, const Value& b, Budget& budget);

// value.name: a method or attribute of its type first, then the item of that name; undefined if there is
// neither.
Value get_attribute(const Value& value, std::string_view name, Budget& budget);
// value[index]: the item first, then the attribute of that name.
Value get_item(const Value& value, const Value& index, Budget& budget);
Value get_slice(const Value& value, const Slice& slice, Budget& budget);

}  // namespace cuset::text::jinja
