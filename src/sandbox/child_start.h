// Starts a child process with limits, no new privileges and a system-call filter in place before its first
// instruction. Safe in a program with many threads and much memory: the child borrows our memory until it
// executes (vfork) and makes only system calls.
#pragma once

#include <linux/filter.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace cuset::sandbox {

struct ResourceLimit {
  int resource = 0;  // RLIMIT_*
  rlim_t value = 0;  // soft and hard; lowered to the hard limit we have ourselves
};

struct ChildStart {
  std::vector<std::string> arguments;    // the program first, an absolute path
  std::vector<std::string> environment;  // NAME=value
  std::filesystem::path folder;          // working folder
  int output = -1;                       // becomes standard output
  int errors = -1;                       // becomes standard error
  std::vector<int> passed;               // become descriptors 3, 4, ...; all others are closed
  std::vector<int> entrances;            // of control groups, joined first
  std::vector<ResourceLimit> limits;
  // As root: become this user, who may still read what root reads, but change and signal only its own. 0:
  // stay.
  uid_t user = 0;
  int landlock_rules = -1;              // -1: none
  std::span<const sock_filter> filter;  // empty: none
};

struct StartedChild {
  pid_t process = -1;     // -1: not started
  int error_number = 0;   // why not
  const char* step = "";  // what failed: "execute", "enter the folder", ...
};

// The caller waits for the child. It leads a session of its own, has no input, and goes first if the machine
// runs out of memory.
StartedChild start_child(const ChildStart& start);

}  // namespace cuset::sandbox
