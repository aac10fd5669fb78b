// Fork bombs, daemons and threads without end: everything must be dead when the sandbox returns.
#include "hostile.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char** environ;

namespace {

[[noreturn]] void spin() {
  for (volatile unsigned i = 0;; ++i) {
  }
}
[[maybe_unused]] void* spinning_thread(void*) { spin(); }
[[maybe_unused]] void* sleeping_thread(void*) {
  for (;;) pause();
}
[[maybe_unused]] int cloned(void*) { spin(); }

}  // namespace

#if TRICK == 1  // fork without end
void attack(const World&) {
  for (;;) fork();
}
#elif TRICK == 2   // every child forks twice and spins
void attack(const World&) {
  while (fork() >= 0) {
    if (fork() == 0) continue;
  }
  spin();
}
#elif TRICK == 3   // vfork and exec in a loop
void attack(const World&) {
  for (;;) {
    if (vfork() == 0) {
      execl("/bin/sleep", "sleep", "1000", nullptr);
      _exit(1);
    }
  }
}
#elif TRICK == 4   // clone with shared memory
void attack(const World&) {
  for (;;) {
    char* stack = static_cast<char*>(malloc(1 << 16));
    if (stack != nullptr) clone(cloned, stack + (1 << 16), CLONE_VM | CLONE_FILES | SIGCHLD, nullptr);
  }
}
#elif TRICK == 5   // posix_spawn of shells
void attack(const World&) {
  const char* arguments[] = {"sh", "-c", "sleep 1000", nullptr};
  for (;;) {
    pid_t child = 0;
    posix_spawn(&child, "/bin/sh", nullptr, nullptr, const_cast<char**>(arguments), environ);
  }
}
#elif TRICK == 6   // the classic shell bomb
void attack(const World&) {
  for (;;) {
    if (system("b(){ b|b& };b") != 0) spin();
  }
}
#elif TRICK == 7   // sleeping threads without end
void attack(const World&) {
  for (;;) {
    pthread_t thread;
    pthread_create(&thread, nullptr, sleeping_thread, nullptr);
  }
}
#elif TRICK == 8   // spinning threads without end
void attack(const World&) {
  for (;;) {
    pthread_t thread;
    pthread_create(&thread, nullptr, spinning_thread, nullptr);
  }
}
#elif TRICK == 9   // fork and exec of itself
void attack(const World& world) {
  for (;;) {
    if (fork() == 0) execv("/proc/self/exe", world.arguments());
  }
}
#elif TRICK == 10  // every child becomes a session of its own
void attack(const World&) {
  for (;;) {
    if (fork() == 0) setsid();
  }
}
#elif TRICK == 11  // a daemon by double fork and setsid; the program itself ends well
void attack(const World&) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) spin();
    _exit(0);
  }
  wait(nullptr);
}
#elif TRICK == 12  // a daemon that keeps the output pipe open and writes to it
void attack(const World&) {
  if (fork() != 0) return;
  setsid();
  for (;;) {
    if (write(1, "still here\n", 11) < 0) pause();
    usleep(100000);
  }
}
#elif TRICK == 13  // daemon(3), with the pipe held by a sleeping process
void attack(const World&) {
  if (daemon(1, 1) == 0) {
    for (;;) pause();
  }
}
#elif TRICK == 14  // raw fork system calls, past every library wrapper
void attack(const World&) {
  for (;;) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}
#elif TRICK == 15  // pipes to shells that are never closed
void attack(const World&) {
  while (popen("sleep 1000", "r") != nullptr) {
  }
  spin();
}
#elif TRICK == 16  // stopped children
void attack(const World&) {
  for (;;) {
    if (fork() == 0) raise(SIGSTOP);
  }
}
#elif TRICK == 17  // zombies that nobody reaps
void attack(const World&) {
  for (;;) {
    if (fork() == 0) _exit(0);
  }
}
#elif TRICK == 18  // a chain: each process forks the next and dies, faster than a killer can follow
void attack(const World&) {
  for (;;) {
    if (fork() != 0) _exit(0);
    setsid();
  }
}
#elif TRICK == 19  // children that block every signal and set their own subreaper
void attack(const World&) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  for (int i = 0; i < 8; ++i) {
    if (fork() == 0) spin();
  }
}
#elif TRICK == 20  // forks in a destructor, after main has returned
struct Last {
  ~Last() {
    for (int i = 0; i < 6; ++i) {
      if (fork() == 0) spin();
    }
  }
} last;
void attack(const World&) {}
#elif TRICK == 21  // children renamed as something harmless, with their arguments overwritten
void attack(const World& world) {
  for (int i = 0; i < 4; ++i) {
    if (fork() != 0) continue;
    prctl(PR_SET_NAME, "kworker/0:1");
    for (char** argument = world.arguments(); *argument != nullptr; ++argument)
      memset(*argument, 0, strlen(*argument));
    spin();
  }
}
#elif TRICK == 22  // clone without SIGCHLD and with CLONE_PARENT: a sibling instead of a child
void attack(const World&) {
  for (int i = 0; i < 4; ++i) {
    if (syscall(SYS_clone, CLONE_PARENT, 0, 0, 0, 0) == 0) spin();
  }
}
#elif TRICK == 23  // the main thread ends, another one goes on
void attack(const World&) {
  pthread_t thread;
  pthread_create(&thread, nullptr, spinning_thread, nullptr);
  pthread_exit(nullptr);
}
#endif
