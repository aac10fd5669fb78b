#include "sandbox/system_call_filter.h"

#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::sandbox {
namespace {

using Context = std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, decltype(&::seccomp_release)>;

// Named as strings, so that a libseccomp which does not know the newest of them leaves only those out.
constexpr const char* kRefused[] = {
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd",
    // mounts and namespaces
    "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "open_tree_attr",
    "fsopen", "fsmount", "fsconfig", "fspick", "mount_setattr", "unshare", "setns", "listmount", "statmount",
    // code in the kernel
    "bpf", "perf_event_open", "init_module", "finit_module", "delete_module", "create_module", "kexec_load",
    "kexec_file_load",
    // keyrings
    "keyctl", "add_key", "request_key",
    // the machine
    "swapon", "swapoff", "reboot", "acct", "quotactl", "quotactl_fd", "settimeofday", "clock_settime",
    "clock_settime64", "clock_adjtime", "clock_adjtime64", "adjtimex", "stime", "sethostname",
    "setdomainname", "syslog", "iopl", "ioperm", "vhangup", "nfsservctl", "lookup_dcookie", "fanotify_init",
    "set_mempolicy_home_node", "_sysctl", "uselib", "modify_ldt",
    // objects in the kernel that outlive their makers
    "shmget", "semget", "msgget", "mq_open",
    // known doors
    "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "open_by_handle_at",
    "name_to_handle_at", "vmsplice"};

constexpr int kNewNamespaceFlags[] = {CLONE_NEWNS,  CLONE_NEWUTS, CLONE_NEWIPC,   CLONE_NEWUSER,
                                      CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP};

// A filter compares 64 bits, the kernel looks at the low 32 of an int: the others must not hide a value.
constexpr uint64_t kInt = 0xffffffff;

// Terminal requests that put text into somebody's keyboard buffer.
constexpr uint64_t kTerminalInput = 0x5412;    // TIOCSTI
constexpr uint64_t kTerminalControl = 0x541c;  // TIOCLINUX

// Not libseccomp's macros, which are C.
scmp_arg_cmp masked(unsigned argument, uint64_t mask, uint64_t value) {
  return {.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
}

scmp_arg_cmp differs(unsigned argument, uint64_t value) {
  return {.arg = argument, .op = SCMP_CMP_NE, .datum_a = value, .datum_b = 0};
}

void refuse(scmp_filter_ctx context, int call, std::initializer_list<scmp_arg_cmp> conditions = {},
            int error_number = EPERM) {
  const std::vector<scmp_arg_cmp> array(conditions);
  const int status =
      ::seccomp_rule_add_array(context, SCMP_ACT_ERRNO(static_cast<uint32_t>(error_number)), call,
                               static_cast<unsigned>(array.size()), array.empty() ? nullptr : array.data());
  if (status != 0) throw base::Error("cannot refuse system call {}: {}", call, base::errno_text(-status));
}

void refuse_calls(scmp_filter_ctx context) {
  for (const char* name : kRefused) {
    const int call = ::seccomp_syscall_resolve_name(name);
    if (call >= 0) refuse(context, call);  // negative: not a call of this architecture
  }
  constexpr int kClone3 = 435;
  refuse(context, kClone3, {}, ENOSYS);
}

void refuse_arguments(scmp_filter_ctx context) {
  for (const int flag : kNewNamespaceFlags) {
    const auto bits = static_cast<uint64_t>(flag);
    refuse(context, SCMP_SYS(clone), {masked(0, bits, bits)});
  }
  for (const uint64_t request : {kTerminalInput, kTerminalControl}) {
    refuse(context, SCMP_SYS(ioctl), {masked(1, kInt, request)});
  }
  refuse(context, SCMP_SYS(personality), {differs(0, kInt)});  // all ones: only asks
  // Orphans must find the sandbox's own collector, and the mark that tells a tree's processes must stay.
  refuse(context, SCMP_SYS(prctl), {masked(0, kInt, PR_SET_CHILD_SUBREAPER)});
  refuse(context, SCMP_SYS(setrlimit), {masked(0, kInt, RLIMIT_RTTIME)});
  refuse(context, SCMP_SYS(prlimit64), {masked(1, kInt, RLIMIT_RTTIME), differs(2, 0)});
}

void refuse_unless_gpu(scmp_filter_ctx context, FilterKind kind) {
  // Files without a name or a place: no limit on files or memory of a process counts them.
  if (kind == FilterKind::kPlain) refuse(context, SCMP_SYS(memfd_create));
  constexpr uint64_t kBeyondFamilies = 64;
  for (uint64_t family = 0; family < kBeyondFamilies; ++family) {
    if (family == AF_UNIX || (kind == FilterKind::kGpu && family == AF_NETLINK)) continue;
    refuse(context, SCMP_SYS(socket), {masked(0, kInt, family)});
  }
}

std::vector<sock_filter> exported(scmp_filter_ctx context) {
  const base::FileDescriptor file(::memfd_create("filter", MFD_CLOEXEC));
  if (!file.is_open()) throw base::Error("cannot make a file in memory: {}", base::errno_text(errno));
  const int status = ::seccomp_export_bpf(context, file.get());
  if (status != 0) throw base::Error("cannot export the system-call filter: {}", base::errno_text(-status));
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  std::vector<sock_filter> program(static_cast<size_t>(size) / sizeof(sock_filter));
  const ssize_t count = ::pread(file.get(), program.data(), static_cast<size_t>(size), 0);
  CUSET_CHECK(count == size, "{} of {} bytes of the filter", count, size);
  return program;
}

std::vector<sock_filter> make_filter(FilterKind kind) {
  const Context context(::seccomp_init(SCMP_ACT_ALLOW), &::seccomp_release);
  if (!context) throw base::Error("cannot make a system-call filter");
  ::seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  ::seccomp_attr_set(context.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);  // a tree: few comparisons a call
  refuse_calls(context.get());
  refuse_arguments(context.get());
  refuse_unless_gpu(context.get(), kind);
  return exported(context.get());
}

}  // namespace

std::span<const sock_filter> system_call_filter(FilterKind kind) {
  if (kind == FilterKind::kGpu) {
    static const std::vector<sock_filter> gpu = make_filter(FilterKind::kGpu);
    return gpu;
  }
  static const std::vector<sock_filter> plain = make_filter(FilterKind::kPlain);
  return plain;
}

}  // namespace cuset::sandbox
