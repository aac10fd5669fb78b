// Ways to end that look like success, or like nothing that a judge has seen.
#include "hostile.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <stdexcept>

extern char** environ;

#if TRICK == 1  // ends with success before main
struct AtOnce {
  AtOnce() { _exit(0); }
} at_once;
void attack(const World&) {}
#elif TRICK == 2   // turns failure into success at the end
void attack(const World&) {
  atexit([] { _exit(0); });
  exit(1);
}
#elif TRICK == 3   // the status of an unsupported construct
void attack(const World&) { exit(87); }
#elif TRICK == 4   // the status of a time limit
void attack(const World&) { exit(124); }
#elif TRICK == 5   // the status of a killed program
void attack(const World&) { exit(137); }
#elif TRICK == 6   // another program takes its place
void attack(const World&) { execl("/bin/true", "true", nullptr); }
#elif TRICK == 7   // a shell takes its place
void attack(const World&) { execl("/bin/sh", "sh", "-c", "echo all tests passed; exit 0", nullptr); }
#elif TRICK == 8   // itself again and again
void attack(const World& world) { execv("/proc/self/exe", world.arguments()); }
#elif TRICK == 9   // itself with a library of its own loaded first
void attack(const World& world) {
  if (getenv("LD_PRELOAD") != nullptr) return;
  if (system("echo 'int puts(const char*s){return 0;}' > p.c; cc -shared -fPIC -o p.so p.c") != 0) return;
  setenv("LD_PRELOAD", "./p.so", 1);
  setenv("LD_LIBRARY_PATH", ".", 1);
  execv("/proc/self/exe", world.arguments());
}
#elif TRICK == 10  // a program that exists in memory only
void attack(const World&) {
  const int memory = static_cast<int>(syscall(SYS_memfd_create, "program", 0));
  const int file = open("/bin/sleep", O_RDONLY);
  static char bytes[1 << 20];
  const ssize_t size = read(file, bytes, sizeof(bytes));
  if (memory < 0 || size <= 0 || write(memory, bytes, static_cast<size_t>(size)) != size) return;
  const char* arguments[] = {"sleep", "1000", nullptr};
  fexecve(memory, const_cast<char**>(arguments), environ);
}
#elif TRICK == 11  // an exception nobody catches
void attack(const World&) { throw std::runtime_error("all tests passed"); }
#elif TRICK == 12  // an exception thrown while it ends
struct Last {
  ~Last() noexcept(false) { throw std::runtime_error("too late"); }
} last;
void attack(const World&) {}
#elif TRICK == 13  // all descriptors closed
void attack(const World&) {
  for (int fd = 0; fd < 1024; ++fd) close(fd);
  launch_a_kernel();
}
#elif TRICK == 14  // the stack overwritten
void attack(const World&) {
  volatile char bytes[16];
  for (volatile int i = 0; i < 100000; ++i) bytes[i] = 'A';
}
#elif TRICK == 15  // an instruction that does not exist
void attack(const World&) { __asm__ volatile("ud2"); }
#elif TRICK == 16  // a breakpoint
void attack(const World&) { __asm__ volatile("int3"); }
#elif TRICK == 17  // a division by zero
void attack(const World&) {
  volatile int zero = 0, hundred = 100;
  printf("%d\n", hundred / zero);
}
#elif TRICK == 18  // a core dump as large as it gets
void attack(const World&) {
  memset(malloc(200 << 20), 1, 200 << 20);
  signal(SIGQUIT, SIG_DFL);
  raise(SIGQUIT);
}
#elif TRICK == 19  // memory unmapped under its own feet
void attack(const World&) {
  const uintptr_t step = uintptr_t{1} << 40;
  for (uintptr_t at = 0; at < uintptr_t{1} << 47; at += step) munmap(reinterpret_cast<void*>(at), step);
}
#elif TRICK == 20  // ends in a thread while main waits for it
static void* end(void*) { _exit(0); }
void attack(const World&) {
  pthread_t thread;
  pthread_create(&thread, nullptr, end, nullptr);
  for (;;) pause();
}
#endif
