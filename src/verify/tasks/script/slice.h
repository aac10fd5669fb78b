// Finds the statements that the wanted files depend on.
//
// Backwards through each block runs the set of live names: those whose value a later needed statement uses. A
// statement is needed if it writes a wanted file, assigns a live name, or changes in place what a live name
// may show: x[i] = ..., x += ..., x.fill_(...), shuffle(x), f(x) where f changes its parameter. Which names
// may show the same numbers is found first and without regard to order: y = x.view(-1), y = x[:n], y = f(x)
// where f may return its parameter. A plain assignment ends the life of its name; what it uses begins to
// live.
//
// A function's body is cut the same way, its returned values and changed parameters live at its end. A write
// whose path is not to be seen in the text is taken for wanted, unless the call that leads to it names other
// files.
#pragma once

#include <string>
#include <vector>

#include "verify/tasks/script/syntax.h"

namespace cuset::script {

// Sets Statement::needed throughout. `wanted` are names of files without folder and extension.
void mark_needed(Program& program, const std::vector<std::string>& wanted);
// All statements are needed.
void mark_all(Program& program);

}  // namespace cuset::script
