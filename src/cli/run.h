// cuset run: compiles one CUDA program and runs it inside the sandbox, on the GPU or on the CPU. docs/run.md.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_run_command();

}  // namespace cuset
