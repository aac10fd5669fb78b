// The filters of the template language: `value|name(arguments)`.
#pragma once

#include <string_view>

#include "text/jinja/arguments.h"
#include "text/jinja/value.h"

namespace cuset::text::jinja {

using FilterFunction = Value (*)(const Value& value, const Arguments& arguments, Budget& budget);

bool is_known_filter(std::string_view name);

// Applies a filter by name. Fails for unknown names.
Value apply_filter(std::string_view name, const Value& value, const Arguments& arguments, Budget& budget);

// The filters over sequences, or null. Generators where Jinja2 has generators: they run when drawn from,
// once.
FilterFunction find_sequence_filter(std::string_view name);
// The other filters, or null.
FilterFunction find_value_filter(std::string_view name);

// json.dumps as Hugging Face's tojson calls it.
Value filter_tojson(const Value& value, const Arguments& arguments, Budget& budget);
// json.loads, as serving engines define the filter from_json. Fails where the text is not valid JSON.
Value filter_from_json(const Value& value, const Arguments& arguments, Budget& budget);

// Looks up a path such as "function.name" or 0 in a value, as the attribute arguments of filters mean it.
// `otherwise`, if given and not none, takes the place of what is undefined on the way.
Value get_path(const Value& value, const Value& path, Budget& budget, const Value* otherwise = nullptr);

}  // namespace cuset::text::jinja
