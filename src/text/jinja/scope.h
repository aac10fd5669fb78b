// Scopes of variables, as Jinja2's compiler sees them. They are worked out before anything runs:
// - the template, each loop body, loop condition, loop else, set block, macro and call block is a scope; `if` is not;
// - a name that a scope stores is the scope's own; if an outer scope knows the name, it starts with the outer value,
//   afresh in every iteration of a loop, and changes do not leak;
// - a name that is only read is the outer scope's, or else comes from the variables given to the template.
// Macros and loop conditions are functions: their variables live in slots of their own for every call.
//
// One oddity of Jinja2 is kept: a name that the template stores without having read it in the same scope before does
// not start with the value given to the template, not even for a loop that stands before the `set`.
#pragma once

#include "text/jinja/ast.h"

namespace cuset::text::jinja {

// Gives every name of the program its slot. Throws SyntaxFailure for an assignment to `loop` inside a loop.
void bind_names(Program& program);

}  // namespace cuset::text::jinja
