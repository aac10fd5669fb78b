// cuset chat: a talk with a model in the terminal. docs/generate.md.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_chat_command();

}  // namespace cuset
