// How threads of OpenMP wait for work.
//
// LibTorch splits operations over the threads of an OpenMP runtime: of libgomp, in the packages that we build
// against. A thread without work looks for some in a loop before it sleeps ("spins"), by default 300,000
// times, which are several milliseconds. On free cores that costs nothing. Beside another busy process,
// spinning threads use up the time of the core on which the thread that they wait for should run: training
// took three times as long as on free cores. docs/train.md has the measurements.
#pragma once

#include <map>
#include <string>

namespace cuset::base {

// Whether an environment, as main gets it, says how to wait: OMP_WAIT_POLICY, GOMP_SPINCOUNT (libgomp) or
// KMP_BLOCKTIME (LLVM's and Intel's runtimes).
bool chooses_waiting(const char* const* environment);

// Starts this program once more in the same process, with brief waiting added to its environment. Returns,
// and the runtime waits as it would have, where the environment says how already, be it the user's choice or
// because this is the program started once more, and where the restart is not possible (no /proc).
//
// A restart, because libgomp reads its environment in its constructor, before main. A function in
// .preinit_array runs before the constructors of libraries, but variables that it sets are lost: after it the
// constructor of glibc points `environ` at what the kernel passed. Process number, open files, signal masks
// and limits stay, so launchers, debuggers and parents see one process that calls exec.
//
// Called by CUSET_WAIT_BRIEFLY before any constructor: it allocates nothing and uses no global objects.
void restart_to_wait_briefly(int argc, char** argv, char** environment);

// The variables named above that this process has, for children that are given an environment of their own.
std::map<std::string, std::string> waiting_policy();

}  // namespace cuset::base

// Once in the file with a program's main: runs restart_to_wait_briefly at its start, before LibTorch's
// constructors, which take longer than loading it.
#define CUSET_WAIT_BRIEFLY()                                                                             \
  [[gnu::section(".preinit_array"), gnu::used]] static void (*const wait_briefly)(int, char**, char**) = \
      cuset::base::restart_to_wait_briefly
