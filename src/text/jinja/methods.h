// Methods and attributes of built-in types, and calling them. What Python has and this engine does not is
// named in the error; what would change a list or dict is refused as Hugging Face's immutable sandbox does.
#pragma once

#include <string_view>

#include "text/jinja/arguments.h"
#include "text/jinja/value.h"

namespace cuset::text::jinja {

// The attribute `name` of the value's type (a method, loop.index, a namespace's member), or Missing.
Value own_attribute(const Value& value, std::string_view name);

// Calls method.self.name(arguments).
Value call_method(const Method& method, const Arguments& arguments, Budget& budget);

}  // namespace cuset::text::jinja
