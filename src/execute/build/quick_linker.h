// The linker without the compiler in front of it, and the fastest one of the machine. Linking is all the same
// but for the objects; clang takes longer to work out the linker's command line, and its usual linker to read
// the libraries, than compiling a short answer takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emulator/toolchain.h"

namespace cuset::execute {

// Asks clang once how it would link; leaves the toolchain as it is where clang does not tell.
void find_quick_linker(emulator::EmulatorToolchain& toolchain);

// The last command that `clang -###` prints: words in quotes, a backslash before a quote or a backslash.
// Nothing where there is none.
std::vector<std::string> last_command(std::string_view printed);

}  // namespace cuset::execute
