// The system calls an untrusted program may not make, as a BPF program for the kernel (made by libseccomp).
//
// Everything not named is allowed: compilers, CUDA and threads need hundreds of calls. Refused with EPERM are
// calls that look into other processes (ptrace), change what a process sees (mounts, namespaces), load code
// into the kernel (bpf, modules), or have been doors out of sandboxes (io_uring, userfaultfd, keyrings).
// clone3 answers ENOSYS, because its flags lie in memory where a filter cannot see them; the C library then
// uses clone. Calls in the ABI of another architecture (i386, x32) end the program.
#pragma once

#include <linux/filter.h>

#include <span>

namespace cuset::sandbox {

enum class FilterKind {
  kPlain,
  kGpu,  // allows AF_NETLINK sockets and memfd_create, for CUDA's driver library
};

// Lives as long as the program. Throws Error where libseccomp fails.
std::span<const sock_filter> system_call_filter(FilterKind kind);

}  // namespace cuset::sandbox
