// cuset demo: the whole story on the built-in model, as a sequence of this program's own commands.
// docs/demo.md.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_demo_command();

}  // namespace cuset
