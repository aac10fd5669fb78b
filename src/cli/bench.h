// cuset bench: how fast the parts are, beside the tools people use today.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_bench_command();

}  // namespace cuset
