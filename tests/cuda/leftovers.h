// What programs can leave on a machine: processes, mounts, control groups, objects of System V, files. Taken
// before and after the programs ran, and compared.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace cuset::tests {

struct MachineState {
  std::set<std::string> mounts;   // of our namespace, as in /proc/self/mountinfo
  std::set<std::string> groups;   // control groups that our process made
  std::set<std::string> objects;  // shared memory, semaphores and queues of System V that we may see
};

MachineState machine_state();

// One line for each thing that is in `after` only, or a mount that is gone; "" if there is none.
std::string state_differences(const MachineState& before, const MachineState& after);

// From now on processes whose parents died become our children instead of the system's, so that none is
// overlooked.
void adopt_orphans();

// Living processes that descend from ours or carry `token` in their arguments or environment, one line each.
// Waits for dead ones first, so that only one thread of us may run.
std::string living_processes(const std::string& token);

// Files whose name contains `token` in any of `folders` and where every program may try to write, one line
// each.
std::string files_left(const std::string& token, std::vector<std::filesystem::path> folders);

}  // namespace cuset::tests
