// cuset merge: base model + adapter -> a model folder, with a check that both answer alike. docs/model-folders.md.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_merge_command();

}  // namespace cuset
