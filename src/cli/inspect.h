// cuset inspect: samples as the trainer sees them (tokens, masks, CUDA regions), and the regions of source
// files. docs/data.md shows what it prints.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_inspect_command();

}  // namespace cuset
