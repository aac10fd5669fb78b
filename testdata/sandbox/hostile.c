// What hostile programs try, one deed per first argument. The tests compile it and run it inside the sandbox.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Each call gets arguments that would make it fail otherwise than by EPERM, or do nothing, without a filter.
static void report(const char* name, long result) { printf("%s %s\n", name, result < 0 ? strerrorname_np(errno) : "works"); }

#define TRY(name, ...) report(#name, syscall(SYS_##name, __VA_ARGS__))

static void try_calls(void) {
  TRY(ptrace, 0, 0, 0, 0);
  TRY(process_vm_readv, 0, 0, 0, 0, 0, 0);
  TRY(process_vm_writev, 0, 0, 0, 0, 0, 0);
  TRY(mount, 0, 0, 0, 0, 0);
  TRY(umount2, 0, 0);
  TRY(pivot_root, 0, 0);
  TRY(chroot, 0);
  TRY(open_tree, -1, 0, 0);
  TRY(move_mount, -1, 0, -1, 0, 0);
  TRY(fsopen, 0, 0);
  TRY(fsmount, -1, 0, 0);
  TRY(mount_setattr, -1, 0, 0, 0, 0);
  TRY(unshare, CLONE_NEWUSER);
  TRY(unshare, 0);
  TRY(setns, -1, 0);
  TRY(clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  TRY(clone, CLONE_NEWNET | SIGCHLD, 0, 0, 0, 0);
  TRY(clone3, 0, 0);
  TRY(bpf, -1, 0, 0);
  TRY(perf_event_open, 0, 0, 0, -1, 0);
  TRY(init_module, 0, 0, 0);
  TRY(finit_module, -1, 0, 0);
  TRY(kexec_load, 0, 0, 0, -1);
  TRY(keyctl, -1, 0, 0, 0, 0);
  TRY(add_key, 0, 0, 0, 0, 0);
  TRY(request_key, 0, 0, 0, 0);
  TRY(swapon, 0, 0);
  TRY(reboot, 0, 0, 0, 0);
  TRY(acct, "/nowhere");
  TRY(quotactl, -1, 0, 0, 0);
  TRY(settimeofday, 0, 0);
  TRY(clock_settime, -1, 0);
  TRY(userfaultfd, -1);
  TRY(io_uring_setup, 0, 0);
  TRY(open_by_handle_at, -1, 0, 0);
  TRY(name_to_handle_at, -1, 0, 0, 0, 0);
  TRY(personality, 0x0040000);
  TRY(ioctl, 0, 0x5412, 0);
  TRY(ioctl, 0, 0x100005412, 0);
  TRY(socket, AF_INET, SOCK_STREAM, 0);
  TRY(socket, AF_INET6, SOCK_DGRAM, 0);
  TRY(socket, AF_PACKET, SOCK_RAW, 0);
  TRY(socket, AF_NETLINK, SOCK_RAW, 0);
  TRY(socket, 0x100000000 + AF_INET, SOCK_STREAM, 0);
  TRY(memfd_create, "x", -1);
  TRY(shmget, 0, 0, 0);
  TRY(prctl, 36, 0, 0, 0, 0);
  TRY(prlimit64, 0, 15, "0123456789abcdef", 0);
}

static void eat_memory(size_t bytes) {
  for (size_t eaten = 0; eaten < bytes; eaten += 1 << 20) {
    char* block = malloc(1 << 20);
    if (block) memset(block, 1, 1 << 20);
  }
}

// Where nothing refuses, the many stay until somebody looks, however late.
static void report_count(int count) {
  if (count > 100) sleep(10);
  printf("%d\n", count);
}

// How many processes (or threads) can live at once, ourselves not counted.
static void count_processes(void) {
  int count = 0;
  while (count < 2000) {
    const pid_t child = fork();
    if (child == 0) pause();
    if (child < 0) break;
    ++count;
  }
  report_count(count);
}

static void* sleep_on(void* nothing) {
  pause();
  return nothing;
}

static void count_threads(void) {
  int count = 0;
  pthread_t thread;
  while (count < 2000 && pthread_create(&thread, 0, sleep_on, 0) == 0) ++count;
  report_count(count);
}

static void count_files(void) {
  int count = 0;
  while (open("/dev/null", O_RDONLY) >= 0) ++count;
  printf("%d\n", count + 3);
}

static void list_descriptors(void) {
  DIR* folder = opendir("/proc/self/fd");
  struct dirent* entry;
  while ((entry = readdir(folder))) {
    if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(folder)) printf("%s ", entry->d_name);
  }
  printf("\n");
}

static void write_files(int files, size_t megabytes) {
  static char block[1 << 20];
  char name[32];
  for (int file = 0; file < files; ++file) {
    snprintf(name, sizeof name, "file-%d", file);
    const int fd = open(name, O_WRONLY | O_CREAT, 0644);
    for (size_t i = 0; i < megabytes; ++i) {
      if (write(fd, block, sizeof block) < 0) perror("write");
    }
    close(fd);
  }
}

// A child that left the session, lost its parent and hears no polite signal.
static void leave_daemon(const char* name) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      for (int number = 1; number < 32; ++number) signal(number, SIG_IGN);
      execl("/bin/sleep", "sleep", name, (char*)0);
    }
    _exit(0);
  }
  usleep(50000);
}

int main(int count, char** words) {
  const char* deed = count > 1 ? words[1] : "";
  const char* word = count > 2 ? words[2] : "0";
  setbuf(stdout, 0);
  if (!strcmp(deed, "calls")) try_calls();
  if (!strcmp(deed, "i386")) __asm__ volatile("int $0x80" : : "a"(20));
  if (!strcmp(deed, "x32")) syscall(0x40000000 + SYS_getpid);
  if (!strcmp(deed, "memory")) eat_memory((size_t)atoll(word) << 20);
  if (!strcmp(deed, "memory-of-many")) {
    for (int i = 0; i < 7; ++i) {
      if (fork() == 0) {
        eat_memory((size_t)atoll(word) << 20);
        pause();
      }
    }
    pause();
  }
  if (!strcmp(deed, "fork-bomb")) {
    while (1) fork();
  }
  if (!strcmp(deed, "processes")) count_processes();
  if (!strcmp(deed, "threads")) count_threads();
  if (!strcmp(deed, "files")) count_files();
  if (!strcmp(deed, "descriptors")) list_descriptors();
  if (!strcmp(deed, "write")) write_files(atoi(word), (size_t)atoi(words[3]));
  if (!strcmp(deed, "daemon")) leave_daemon(word);
  if (!strcmp(deed, "spin")) {
    for (volatile unsigned long turns = 0;; ++turns) {
    }
  }
  if (!strcmp(deed, "spin-in-many")) {
    fork();
    fork();
    for (volatile unsigned long turns = 0;; ++turns) {
    }
  }
  if (!strcmp(deed, "output")) {
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    while (write(1, block, sizeof block) > 0) {
    }
  }
  if (!strcmp(deed, "stop")) raise(SIGSTOP);
  if (!strcmp(deed, "crash")) *(volatile int*)8 = 0;
  if (!strcmp(deed, "abort")) abort();
  if (!strcmp(deed, "kill")) report("kill", kill(atoi(word), SIGKILL));
  return 0;
}
