// Tells the host's own memory from everything else, by what the system says of this process's mappings.
#pragma once

#include <cstdint>

namespace cuset_emulator {

// True if the address lies in memory the host can write: heap, stack, global variables. Code and constants
// are not meant, since pointers to device functions and to device code's own constants look like them.
bool is_host_data(uint64_t address);

}  // namespace cuset_emulator
