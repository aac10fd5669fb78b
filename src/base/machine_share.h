// What of the machine this process may use: less than all where it is pinned to some processors or lives in a
// container with limits.
#pragma once

#include <cstdint>

#include "base/control_group.h"

namespace cuset {

// Processors that may run at the same time: those it may be scheduled on, at most as many as the quotas of
// its control groups (versions 1 and 2) pay for, rounded up. At least 1. Without files: what the first call
// found.
uint32_t usable_processors(const MachineFiles& files);
uint32_t usable_processors();

// Bytes of memory: the machine's, at most what its control groups allow; 0 where nothing tells.
uint64_t usable_memory(const MachineFiles& files = {});

}  // namespace cuset
