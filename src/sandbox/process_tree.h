// What a process and all its descendants use, read from /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace cuset::sandbox {

struct TreeUsage {
  uint64_t threads = 0;    // of all processes
  uint64_t memory = 0;     // bytes resident; pages shared inside the tree count once per process
  double cpu_seconds = 0;  // of the living, and of the dead they waited for
};

// Every process of the machine that we can see.
std::vector<pid_t> all_processes();

// The process and its descendants, living or dead but not yet waited for. The walk ends behind `most` of
// them, because a tree can grow faster than one walks.
std::vector<pid_t> tree_of(pid_t root, size_t most = 10'000);

TreeUsage usage_of(const std::vector<pid_t>& processes);

// Bytes, pages shared by several processes counted in parts: exact, and slow for large processes.
uint64_t proportional_memory(const std::vector<pid_t>& processes);

}  // namespace cuset::sandbox
