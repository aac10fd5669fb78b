// Limits lifted, priorities raised, tables of the kernel filled up.
#include "hostile.h"

#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

namespace {

[[noreturn, maybe_unused]] void spin() {
  for (volatile unsigned i = 0;; ++i) {
  }
}

}  // namespace

#if TRICK == 1  // every limit lifted
void attack(const World&) {
  const rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
  for (int kind = 0; kind < 16; ++kind) syscall(SYS_setrlimit, kind, &unlimited);
  rlimit now = {};
  getrlimit(RLIMIT_FSIZE, &now);
  escaped_if(now.rlim_max == RLIM_INFINITY, "lifted the limit of file sizes");
  spin();
}
#elif TRICK == 2   // limits of the driver
void attack(const World& world) {
  rlimit now = {};
  const pid_t driver = world.number("--driver");
  escaped_if(prlimit(driver, RLIMIT_NOFILE, nullptr, &now) == 0, "sees the driver's limits");
}
#elif TRICK == 3   // the highest priority
void attack(const World&) {
  escaped_if(setpriority(PRIO_PROCESS, 0, -20) == 0, "raised its priority");
  spin();
}
#elif TRICK == 4   // real time
void attack(const World&) {
  sched_param parameters = {};
  parameters.sched_priority = 50;
  escaped_if(sched_setscheduler(0, SCHED_FIFO, &parameters) == 0, "runs in real time");
  escaped_if(syscall(SYS_ioprio_set, 1, 0, 1 << 13) == 0, "reads and writes in real time");
}
#elif TRICK == 5   // all descriptors
void attack(const World&) {
  while (open("/dev/null", O_RDONLY) >= 0) {
  }
  launch_a_kernel();
  pause();
}
#elif TRICK == 6   // all watches of files
void attack(const World&) {
  for (;;) {
    const int watcher = inotify_init();
    if (watcher < 0) pause();
    for (int i = 0; i < 100; ++i) {
      char name[32];
      snprintf(name, sizeof(name), "w%d", i);
      mkdir(name, 0777);
      inotify_add_watch(watcher, name, IN_ALL_EVENTS);
    }
  }
}
#elif TRICK == 7   // nests of epoll
void attack(const World&) {
  int last = epoll_create1(0);
  for (;;) {
    const int next = epoll_create1(0);
    epoll_event event = {};
    if (next < 0 || epoll_ctl(next, EPOLL_CTL_ADD, last, &event) != 0) pause();
    last = next;
  }
}
#elif TRICK == 8   // timers and events by descriptor
void attack(const World&) {
  while (timerfd_create(CLOCK_MONOTONIC, 0) >= 0 && eventfd(0, 0) >= 0) {
  }
  pause();
}
#elif TRICK == 9   // all terminals
void attack(const World&) {
  for (int i = 0; i < 10000; ++i) {
    if (open("/dev/ptmx", O_RDWR | O_NOCTTY) < 0) return;
  }
}
#elif TRICK == 10  // out of its control group
void attack(const World&) {
  for (const char* path : {"/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs",
                           "/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/pids/cgroup.procs"}) {
    const int file = open(path, O_WRONLY);
    escaped_if(file >= 0 && write(file, "0", 1) == 1, path);
  }
}
#elif TRICK == 11  // a control group of its own, and its limits
void attack(const World& world) {
  for (const char* root : {"/sys/fs/cgroup", "/sys/fs/cgroup/memory", "/sys/fs/cgroup/pids"}) {
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", root, world.text("--token"));
    escaped_if(mkdir(path, 0777) == 0, path);
    snprintf(path, sizeof(path), "%s/memory.max", root);
    escaped_if(open(path, O_WRONLY) >= 0, path);
  }
}
#elif TRICK == 12  // spinning processes on every core, each bound to it
void attack(const World&) {
  for (int core = 0; core < 64; ++core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    if (sched_setaffinity(0, sizeof(set), &set) == 0 && fork() == 0) spin();
  }
}
#elif TRICK == 13  // the files of others locked
void attack(const World& world) {
  world.each("--secret", [](const char* path) {
    const int file = open(path, O_RDONLY);
    escaped_if(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0, path);
  });
  flock(open("/proc/self/exe", O_RDONLY), LOCK_EX);
  pause();
}
#elif TRICK == 14  // all queues of messages and semaphores
void attack(const World&) {
  for (int i = 0; i < 100000; ++i) {
    if (syscall(SYS_msgget, 0, 01600) < 0 && syscall(SYS_semget, 0, 100, 01600) < 0) return;
  }
}
#elif TRICK == 15  // disk traffic without end
void attack(const World&) {
  static char bytes[1 << 20];
  const int file = open("traffic", O_CREAT | O_RDWR, 0666);
  for (;;) {
    if (pwrite(file, bytes, sizeof(bytes), 0) < 0) return;
    fdatasync(file);
  }
}
#elif TRICK == 16  // every file system written out, again and again
void attack(const World&) {
  for (;;) sync();
}
#endif
