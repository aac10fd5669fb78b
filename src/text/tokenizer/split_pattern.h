// A pattern of a tokenizer file, {"String": "x"} or {"Regex": "x"}, as a compiled expression.
#pragma once

#include "base/json/json_cursor.h"
#include "text/unicode/regex.h"

namespace cuset::text {

// Throws Error for an empty String, a regular expression that is refused, or any other form.
Regex read_pattern(const base::JsonCursor& pattern);

}  // namespace cuset::text
