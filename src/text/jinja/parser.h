// Parses a template into its syntax tree. Everything outside the supported language (docs/tokenizer.md)
// is refused here, by name and place, so that a template that loads can only fail on its data.
#pragma once

#include <string_view>

#include "text/jinja/ast.h"

namespace cuset::text::jinja {

// Expressions and blocks nest at most this deep together.
inline constexpr int kDeepestSyntax = 200;

// The bound tree of `source`, which must be valid UTF-8. Throws SyntaxFailure.
Program parse_template(std::string_view source);

}  // namespace cuset::text::jinja
