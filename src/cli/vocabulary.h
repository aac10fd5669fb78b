// cuset vocabulary: a byte-level BPE tokenizer.json learnt from texts. docs/tokenizer.md has the format.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_vocabulary_command();

}  // namespace cuset
