// How much memory the emulated device presents.
#pragma once

#include <cstdint>

namespace cuset_emulator {

// $CUSET_EMULATOR_MEMORY in bytes; else three quarters of the machine's memory or of the cgroup's limit,
// whichever is less.
uint64_t presented_memory();

}  // namespace cuset_emulator
