// What a program can leave in its own folder to hurt whoever reads, lists or removes it.
#include "hostile.h"

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>

namespace {

[[maybe_unused]] void put(const char* name) {
  const int file = open(name, O_CREAT | O_WRONLY, 0666);
  if (write(file, "x", 1) < 0) perror(name);
  close(file);
}

}  // namespace

#if TRICK == 1  // folders nested deeper than any path may be long
void attack(const World&) {
  char name[201];
  memset(name, 'd', 200);
  name[200] = 0;
  for (int i = 0; i < 200; ++i) {
    if (mkdir(name, 0777) != 0 || chdir(name) != 0) return;
  }
  put("bottom");
}
#elif TRICK == 2   // names with newlines, quotes, escapes and a leading dash
void attack(const World&) {
  for (const char* name :
       {"new\nline", "-rf", "\x1b[31mred", "`touch x`", "$(id)", "a b\tc", "'\"", "*", "~", "\r"})
    put(name);
}
#elif TRICK == 3   // a folder without permissions around a file without permissions
void attack(const World&) {
  mkdir("closed", 0777);
  put("closed/file");
  chmod("closed/file", 0);
  chmod("closed", 0);
}
#elif TRICK == 4   // FIFOs, where an output file is expected
void attack(const World&) {
  for (const char* name : {"output.bin", "result.txt", "a.out", "core"}) mkfifo(name, 0666);
}
#elif TRICK == 5   // a listening Unix socket as a file
void attack(const World&) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  strcpy(address.sun_path, "socket");
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address));
  listen(fd, 8);
}
#elif TRICK == 6   // device nodes of memory and of the first disk
void attack(const World&) {
  escaped_if(mknod("mem", S_IFCHR | 0666, makedev(1, 1)) == 0 && open("mem", O_RDONLY) >= 0,
             "opened a node of /dev/mem");
  escaped_if(mknod("disk", S_IFBLK | 0666, makedev(8, 0)) == 0 && open("disk", O_RDONLY) >= 0,
             "opened a node of a disk");
}
#elif TRICK == 7   // links to the secrets under the names of outputs
void attack(const World& world) {
  int number = 0;
  world.each("--secret", [&](const char* path) {
    char name[32];
    snprintf(name, sizeof(name), "output%d.bin", number++);
    if (symlink(path, name) != 0) perror(name);
  });
}
#elif TRICK == 8   // links in a circle
void attack(const World&) {
  if (symlink("b", "a") != 0 || symlink("a", "b") != 0 || symlink(".", "here") != 0 ||
      symlink("..", "up") != 0)
    perror("a");
}
#elif TRICK == 9   // its own folder removed
void attack(const World&) {
  char path[4096];
  if (getcwd(path, sizeof(path)) != nullptr && rmdir(path) != 0) perror(path);
  if (system("rm -rf \"$PWD\" ./* ./.[!.]*") != 0) perror("rm");
}
#elif TRICK == 10  // its own folder renamed
void attack(const World&) {
  char path[4096], other[4100];
  if (getcwd(path, sizeof(path)) == nullptr) return;
  snprintf(other, sizeof(other), "%s.old", path);
  escaped_if(rename(path, other) == 0, "renamed its own folder");
}
#elif TRICK == 11  // its own folder replaced by a link to the root
void attack(const World&) {
  char path[4096];
  if (getcwd(path, sizeof(path)) == nullptr || rmdir(path) != 0) return;
  escaped_if(symlink("/", path) == 0, "replaced its folder by a link");
}
#elif TRICK == 12  // a file that nobody may change or remove
void attack(const World&) {
  const int file = open("immutable", O_CREAT | O_RDWR, 0666);
  int flags = FS_IMMUTABLE_FL | FS_APPEND_FL;
  escaped_if(ioctl(file, FS_IOC_SETFLAGS, &flags) == 0, "made a file immutable");
}
#elif TRICK == 13  // names as long as they may be, of bytes that are no UTF-8
void attack(const World&) {
  char name[256] = {};
  for (int i = 0; i < 100; ++i) {
    memset(name, 0x80 + i, 255);
    put(name);
  }
}
#elif TRICK == 14  // as many empty files as time allows
void attack(const World&) {
  for (int i = 0;; ++i) {
    char name[32];
    snprintf(name, sizeof(name), "f%d", i);
    const int file = open(name, O_CREAT | O_WRONLY, 0666);
    if (file < 0) return;
    close(file);
  }
}
#elif TRICK == 15  // a tree of folders without the right to write, each holding the next
void attack(const World&) {
  char path[256] = "t";
  for (int i = 0; i < 20; ++i) {
    mkdir(path, 0777);
    strcat(path, "/t");
  }
  for (int i = 0; i < 20; ++i) {
    path[strlen(path) - 2] = 0;
    chmod(path, 0100);
  }
}
#elif TRICK == 16  // space held by files without a name
void attack(const World&) {
  static char bytes[1 << 20];
  for (int i = 0; i < 16; ++i) {
    const int file = open("unnamed", O_CREAT | O_RDWR, 0666);
    unlink("unnamed");
    for (int k = 0; k < 32; ++k) {
      if (write(file, bytes, sizeof(bytes)) < 0) return;
    }
  }
  if (fork() == 0) pause();
}
#elif TRICK == 17  // programs with the bits that change their user
void attack(const World&) {
  if (system("cp /bin/sh shell; chmod 6777 shell; chmod u+s .") != 0) perror("cp");
}
#elif TRICK == 18  // attributes of files, as large as they may be
void attack(const World&) {
  static char bytes[60000];
  put("attributes");
  for (int i = 0; i < 64; ++i) {
    char name[32];
    snprintf(name, sizeof(name), "user.a%d", i);
    setxattr("attributes", name, bytes, sizeof(bytes), 0);
  }
  setxattr("attributes", "security.capability", bytes, 20, 0);
}
#elif TRICK == 19  // its own program overwritten while it runs
void attack(const World& world) {
  const char* self = world.arguments()[0];
  char target[4096] = {};
  if (readlink("/proc/self/exe", target, sizeof(target) - 1) < 0) return;
  for (const char* path : {self, static_cast<const char*>(target)}) {
    escaped_if(open(path, O_WRONLY) >= 0, "opened its own program for writing");
    escaped_if(unlink(path) == 0, "removed its own program");
  }
}
#elif TRICK == 20  // a file mapped, shortened and touched
void attack(const World&) {
  const int file = open("short", O_CREAT | O_RDWR, 0666);
  if (ftruncate(file, 1 << 20) != 0) return;
  char* bytes = static_cast<char*>(mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  if (ftruncate(file, 0) != 0) return;
  bytes[4096] = 1;
}
#elif TRICK == 21  // a hundred thousand links to one file, and folders full of links
void attack(const World&) {
  put("one");
  for (int i = 0; i < 100000; ++i) {
    char name[32];
    snprintf(name, sizeof(name), "l%d", i);
    if (link("one", name) != 0) return;
  }
}
#elif TRICK == 22  // a file locked and leased by a child that stays
void attack(const World&) {
  const int file = open("locked", O_CREAT | O_RDWR, 0666);
  fcntl(file, F_SETLEASE, F_WRLCK);
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  fcntl(file, F_SETLK, &lock);
  if (fork() == 0) pause();
}
#endif
