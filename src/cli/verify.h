// cuset verify: judges the answers to a set of tasks, or audits the tasks themselves. docs/verify.md.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_verify_command();

}  // namespace cuset
