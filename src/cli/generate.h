// cuset generate: a model's answers to tasks or prompts. docs/generate.md.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_generate_command();

}  // namespace cuset
