// cuset gym: writes kernel tasks, samples and documents, as many as wanted, from a seed. docs/gym.md.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_gym_command();

}  // namespace cuset
