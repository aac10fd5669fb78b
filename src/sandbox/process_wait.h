// Waiting for children and descriptors, with an end.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>

namespace cuset::sandbox {

struct Waited {
  int exit_status = -1;      // if it ended by itself
  int signal = 0;            // if a signal ended it
  double cpu_seconds = 0;    // its own and that of children it waited for
  uint64_t peak_memory = 0;  // bytes of the largest of them
};

// Collects a child; none if it lives on after `time`, or is no child of ours.
std::optional<Waited> wait_for(pid_t child, std::chrono::milliseconds time);

// The child has ended and was not waited for yet.
bool is_waitable(pid_t child);

// False at the deadline.
bool wait_readable(int descriptor, std::chrono::steady_clock::time_point deadline);

// While one lives, processes whose parent died become ours to wait for (PR_SET_CHILD_SUBREAPER), rather than
// the machine's first process's, which in a container may never do so.
class OrphanAdoption {
 public:
  OrphanAdoption();
  ~OrphanAdoption();
  OrphanAdoption(const OrphanAdoption&) = delete;
  OrphanAdoption& operator=(const OrphanAdoption&) = delete;
};

}  // namespace cuset::sandbox
