// What of the machine this process may use: less than all where it is pinned to some processors or lives in a
// container with limits.
#pragma once

#include <cstdint>
#include <optional>

#include "base/machine/control_group.h"

namespace cuset::base {

// Processors that may run at the same time: those it may be scheduled on, at most as many as the quotas of
// its control groups (versions 1 and 2) pay for, rounded up. At least 1. Without files: what the first call
// found.
uint32_t usable_processors(const MachineFiles& files);
uint32_t usable_processors();

// What the processors that this process may be scheduled on have done since the machine started, in ticks of
// the clock.
struct ProcessorTimes {
  uint64_t processors = 0;
  uint64_t all = 0;   // summed over the processors, as the next
  uint64_t busy = 0;  // with any process, or taken away by a virtual machine's host
  uint64_t own = 0;   // of it for this process and the children that it has waited for
};

// Nothing where /proc does not tell, or tells of other processors, as in some containers.
std::optional<ProcessorTimes> processor_times(const MachineFiles& files = {});

// Of `usable` processors those that other processes left free between two looks, rounded; at least 1. All of
// them where a look found nothing or where the looks are less than 50 ms apart.
uint32_t free_processors(uint32_t usable, const std::optional<ProcessorTimes>& before,
                         const std::optional<ProcessorTimes>& after);

// Bytes of memory: the machine's, at most what its control groups allow; 0 where nothing tells.
uint64_t usable_memory(const MachineFiles& files = {});

}  // namespace cuset::base
