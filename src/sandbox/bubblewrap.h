// The command line of bubblewrap (bwrap) that shows a program its confined world:
//
//   /usr /bin /lib* /sbin, a few files of /etc   read-only
//   /proc /dev                                   its own; /proc shows its own processes only
//   /tmp /dev/shm                                empty, in memory, of bounded size
//   command.readable                             read-only, at their own paths
//   command.folder                               writable, at its own path, so that compilers name sources
//                                                the same inside and outside
//
// and nothing else: no network, no other processes, no capabilities, no file outside this list.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/sandbox.h"

namespace cuset::sandbox {

struct Bubblewrap {
  std::filesystem::path program;
  // Of a copy that was carried here: what it is linked with; empty if the system's
  std::filesystem::path libraries;
};

// $CUSET_BWRAP, else on PATH, else beside our own program, else in the bundle we were built from.
std::optional<Bubblewrap> find_bubblewrap();

// Descriptors in the process that becomes bwrap.
struct BubblewrapDescriptors {
  int filter = -1;  // the system-call filter is read from here
  int status = -1;  // the process number of the namespace's first process is told here
  int gate = -1;    // the program waits until a byte can be read here
};

// Arguments for bwrap, itself first, the command last.
std::vector<std::string> bubblewrap_arguments(const Bubblewrap& bubblewrap, const SandboxedCommand& command,
                                              const BubblewrapDescriptors& descriptors);

}  // namespace cuset::sandbox
