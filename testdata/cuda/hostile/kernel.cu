// System calls that an untrusted program has no use for. Who succeeds, has escaped.
#include "hostile.h"

#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/fanotify.h>
#include <sys/fsuid.h>
#include <sys/io.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#if TRICK == 1  // a new file system over its folder
void attack(const World&) {
  mkdir("m", 0777);
  escaped_if(mount("none", "m", "tmpfs", 0, nullptr) == 0, "mounted a tmpfs");
  escaped_if(mount("proc", "m", "proc", 0, nullptr) == 0, "mounted proc");
}
#elif TRICK == 2   // the host's folders bound into its own
void attack(const World& world) {
  mkdir("m", 0777);
  world.each("--folder", [](const char* folder) {
    escaped_if(mount(folder, "m", nullptr, MS_BIND, nullptr) == 0, folder);
  });
  escaped_if(mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND, nullptr) == 0, "made the root writable");
}
#elif TRICK == 3   // mounts taken away, to see what lies below
void attack(const World&) {
  for (const char* point : {"/tmp", "/proc", "/dev", "/usr", "/etc", "/sys"}) {
    escaped_if(umount2(point, MNT_DETACH) == 0, point);
  }
}
#elif TRICK == 4   // a user namespace of its own
void attack(const World&) { escaped_if(unshare(CLONE_NEWUSER) == 0, "made a user namespace"); }
#elif TRICK == 5   // every other namespace
void attack(const World&) {
  for (int flag :
       {CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80}) {
    escaped_if(unshare(flag) == 0, "made a namespace");
  }
}
#elif TRICK == 6   // a user namespace by clone
void attack(const World&) {
  const long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  escaped_if(child > 0, "cloned into a user namespace");
}
#elif TRICK == 7   // a user namespace by clone3
void attack(const World&) {
  uint64_t arguments[11] = {CLONE_NEWUSER | CLONE_NEWNS, 0, 0, 0, SIGCHLD};
  const long child = syscall(SYS_clone3, arguments, sizeof(arguments));
  if (child == 0) _exit(0);
  escaped_if(child > 0, "cloned into namespaces");
}
#elif TRICK == 8   // into the namespaces of other processes
void attack(const World& world) {
  for (const char* name : {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"}) {
    for (const char* process : {"1", world.text("--driver")}) {
      char path[64];
      snprintf(path, sizeof(path), "/proc/%s/ns/%s", process, name);
      const int file = open(path, O_RDONLY);
      escaped_if(file >= 0 && setns(file, 0) == 0, path);
    }
  }
}
#elif TRICK == 9   // another root
void attack(const World&) {
  mkdir("r", 0777);
  escaped_if(chroot("r") == 0, "changed its root");
  escaped_if(syscall(SYS_pivot_root, ".", ".") == 0, "pivoted its root");
}
#elif TRICK == 10  // a program for the kernel
void attack(const World&) {
  bpf_attr map = {};
  map.map_type = BPF_MAP_TYPE_ARRAY;
  map.key_size = map.value_size = 4;
  map.max_entries = 1;
  escaped_if(syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof(map)) >= 0, "made a map of the kernel");
  escaped_if(syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &map, sizeof(map)) == 0, "listed programs of the kernel");
}
#elif TRICK == 11  // counters that watch the machine
void attack(const World&) {
  perf_event_attr event = {};
  event.type = PERF_TYPE_SOFTWARE;
  event.size = sizeof(event);
  escaped_if(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0) >= 0, "opened a counter");
}
#elif TRICK == 12  // keys of the kernel
void attack(const World& world) {
  const long key = syscall(SYS_add_key, "user", world.text("--token"), "x", 1, -4);
  escaped_if(key >= 0, "added a key that outlives it");
  escaped_if(syscall(SYS_keyctl, 0, -4, 0) >= 0, "reached a keyring");
}
#elif TRICK == 13  // a ring of system calls past the filter
void attack(const World&) {
  char parameters[120] = {};
  escaped_if(syscall(SYS_io_uring_setup, 4, parameters) >= 0, "made an io_uring");
}
#elif TRICK == 14  // faults of pages handled by itself
void attack(const World&) { escaped_if(syscall(SYS_userfaultfd, 0) >= 0, "made a userfaultfd"); }
#elif TRICK == 15  // addresses without chance, and other personalities
void attack(const World& world) {
  if (personality(ADDR_NO_RANDOMIZE) >= 0 && getenv("TMPDIR_AGAIN") == nullptr) {
    setenv("TMPDIR_AGAIN", "1", 1);
    execv("/proc/self/exe", world.arguments());
  }
}
#elif TRICK == 16  // another kernel, and a restart
void attack(const World&) {
  escaped_if(syscall(SYS_kexec_load, 0, 0, nullptr, 0) == 0, "loaded a kernel");
  escaped_if(syscall(SYS_reboot, 0xfee1dead, 672274793, 0, nullptr) == 0, "changed how to restart");
}
#elif TRICK == 17  // modules
void attack(const World&) {
  escaped_if(syscall(SYS_init_module, "", 0, "") == 0, "loaded a module");
  escaped_if(syscall(SYS_delete_module, "no_such_module", O_NONBLOCK) != 0 && errno == ENOENT,
             "may remove modules");
}
#elif TRICK == 18  // traces its own child
void attack(const World&) {
  const pid_t child = fork();
  if (child == 0) {
    escaped_if(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0, "is traced");
    raise(SIGSTOP);
    _exit(0);
  }
  escaped_if(ptrace(PTRACE_ATTACH, child, nullptr, nullptr) == 0, "traces its child");
}
#elif TRICK == 19  // traces process 1 of its namespace, so that nobody is reaped
void attack(const World&) {
  escaped_if(ptrace(PTRACE_SEIZE, 1, nullptr, nullptr) == 0, "seized process 1");
  escaped_if(ptrace(PTRACE_ATTACH, 1, nullptr, nullptr) == 0, "attached to process 1");
  for (;;) pause();
}
#elif TRICK == 20  // swap and accounting
void attack(const World&) {
  escaped_if(swapoff("/no/such/file") != 0 && errno == ENOENT, "may turn swap off");
  escaped_if(syscall(SYS_acct, "/no/such/file") != 0 && errno == ENOENT, "may account");
}
#elif TRICK == 21  // the name and the clock of the machine
void attack(const World&) {
  timespec now = {};
  char name[256] = {};
  clock_gettime(CLOCK_REALTIME, &now);
  gethostname(name, sizeof(name) - 1);
  escaped_if(clock_settime(CLOCK_REALTIME, &now) == 0, "set the clock");
  escaped_if(sethostname(name, strlen(name)) == 0, "renamed the machine");
}
#elif TRICK == 22  // ports of the hardware
void attack(const World&) {
  escaped_if(iopl(3) == 0, "reached the ports");
  escaped_if(ioperm(0x80, 1, 1) == 0, "reached a port");
}
#elif TRICK == 23  // watches files of everybody
void attack(const World&) {
  escaped_if(syscall(SYS_fanotify_init, FAN_CLASS_CONTENT, O_RDONLY) >= 0, "watches the file system");
}
#elif TRICK == 24  // mounts by the new calls
void attack(const World&) {
  escaped_if(syscall(SYS_fsopen, "tmpfs", 0) >= 0, "opened a file system");
  escaped_if(syscall(SYS_open_tree, AT_FDCWD, "/", 1) >= 0, "copied a tree of mounts");
}
#elif TRICK == 25  // other users
void attack(const World&) {
  const uid_t before = getuid();
  escaped_if(before != 0 && setuid(0) == 0, "became root");
  setfsuid(0);
  escaped_if(before != 0 && open("/etc/shadow", O_RDONLY) >= 0, "read as root");
}
#elif TRICK == 26  // programs that change their user
void attack(const World&) {
  if (system("for p in su sudo mount passwd newgrp chsh pkexec newuidmap; do f=$(command -v $p) && [ -u "
             "\"$f\" ] && "
             "timeout 1 \"$f\" --version </dev/null; done; su -c 'cat /proc/self/status' </dev/null; sudo -n "
             "id && echo ESCAPED: sudo") != 0)
    return;
}
#elif TRICK == 27  // capabilities back
void attack(const World&) {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct all[2] = {{~0u, ~0u, ~0u}, {~0u, ~0u, ~0u}};
  escaped_if(syscall(SYS_capset, &header, all) == 0, "took all capabilities");
  escaped_if(prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0, "allowed new privileges");
}
#elif TRICK == 28  // typing into the terminal of whoever started it
void attack(const World&) {
  for (int fd : {0, 1, 2, open("/dev/tty", O_RDWR), open("/dev/console", O_RDWR)}) {
    for (char c : {'i', 'd', '\n'})
      escaped_if(fd >= 0 && ioctl(fd, TIOCSTI, &c) == 0, "typed into a terminal");
  }
}
#elif TRICK == 29  // the kernel's log, read and cleared
void attack(const World&) {
  char bytes[4096];
  escaped_if(klogctl(3, bytes, sizeof(bytes)) > 0, "read the kernel's log");
  escaped_if(klogctl(5, nullptr, 0) == 0, "cleared the kernel's log");
}
#elif TRICK == 30  // the filter turned off, or replaced by one that allows everything
void attack(const World&) {
  escaped_if(prctl(PR_SET_SECCOMP, 0, nullptr) == 0, "turned the filter off");
  sock_filter allow = {0x06, 0, 0, SECCOMP_RET_ALLOW};
  const sock_fprog program = {1, &allow};
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
  escaped_if(unshare(CLONE_NEWUSER) == 0, "made a user namespace behind its own filter");
}
#elif TRICK == 31  // system calls by their 32-bit numbers: mount, ptrace, unshare
void attack(const World&) {
  for (int number : {21, 26, 310, 5}) {
    long result = number;
    __asm__ volatile("int $0x80" : "+a"(result) : "b"(0), "c"(0), "d"(0) : "memory");
    escaped_if(result >= 0, "used a 32-bit system call");
  }
}
#elif TRICK == 32  // system calls by the numbers of the x32 interface
void attack(const World&) {
  escaped_if(syscall(0x40000000 | SYS_unshare, CLONE_NEWUSER) == 0, "used an x32 system call");
  escaped_if(syscall(0x40000000 | SYS_ptrace, PTRACE_TRACEME, 0, 0, 0) == 0, "traced by x32");
}
#elif TRICK == 33  // every system call there is, with zeros
void attack(const World&) {
  for (long number = 0; number < 500; ++number) {
    if (fork() == 0) {
      syscall(number, 0, 0, 0, 0, 0, 0);
      _exit(0);
    }
    usleep(1000);
  }
}
#endif
