// The tests of the template language: `value is name(arguments)`.
#pragma once

#include <string_view>

#include "text/jinja/arguments.h"
#include "text/jinja/value.h"

namespace cuset::text::jinja {

bool is_known_test(std::string_view name);

// Applies a test by name. Fails for unknown names.
bool apply_test(std::string_view name, const Value& value, const Arguments& arguments, Budget& budget);

}  // namespace cuset::text::jinja
