// Refuses names of filters and tests that this engine does not have, when a template is loaded, as Jinja2's compiler does:
// everywhere but directly in `if` tags and conditional expressions, where the name is refused once it is reached. So a
// branch for another engine does no harm. A loop, set block, macro or call inside of an `if` is refused again.
#pragma once

#include "text/jinja/ast.h"

namespace cuset::text::jinja {

// Throws SyntaxFailure at the first such name.
void refuse_unknown_names(const Program& program);

}  // namespace cuset::text::jinja
