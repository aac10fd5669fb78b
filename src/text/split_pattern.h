// A pattern of a tokenizer file, {"String": "x"} or {"Regex": "x"}, as a compiled expression.
#pragma once

#include "text/json_place.h"
#include "text/regex.h"

namespace cuset {

// Throws Error for an empty String, a regular expression that is refused, or any other form.
Regex read_pattern(const JsonPlace& pattern);

}  // namespace cuset
