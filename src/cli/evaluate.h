// cuset evaluate: a model's answers to tasks, and the verdicts on them. docs/generate.md.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_evaluate_command();

}  // namespace cuset
