// cuset train: a model folder and kernel data -> an adapter or a model. docs/train.md.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_train_command();

}  // namespace cuset
