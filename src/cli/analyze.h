// cuset analyze: how confident a model is of CUDA code, token by token and window by window.
// docs/analyze.md.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_analyze_command();

}  // namespace cuset
