// Signals to others, and signals as a weapon against the own end.
#include "hostile.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

namespace {

[[maybe_unused]] sigjmp_buf back;
[[maybe_unused]] void jump_back(int) { siglongjmp(back, 1); }
[[maybe_unused]] void nothing(int) {}

}  // namespace

#if TRICK == 1  // everybody
void attack(const World&) {
  for (;;) kill(-1, SIGKILL);
}
#elif TRICK == 2   // the parent
void attack(const World&) {
  kill(getppid(), SIGKILL);
  kill(getppid(), SIGSTOP);
}
#elif TRICK == 3   // the driver, by its number
void attack(const World& world) {
  escaped_if(kill(world.number("--driver"), 0) == 0, "can signal the driver");
  kill(world.number("--driver"), SIGKILL);
}
#elif TRICK == 4   // whoever has a number near the driver's
void attack(const World& world) {
  for (int pid = world.number("--driver") - 200; pid < world.number("--driver") + 2000; ++pid) {
    if (pid > 1 && pid != getpid()) kill(pid, SIGKILL);
  }
}
#elif TRICK == 5   // its process group, and the parent's
void attack(const World&) {
  const pid_t group = getpgid(getppid());
  setsid();
  if (group > 1) kill(-group, SIGKILL);
  kill(0, SIGTERM);
}
#elif TRICK == 6   // process 1 of its namespace
void attack(const World&) {
  for (int s = 1; s < 65; ++s) kill(1, s);
  for (;;) pause();
}
#elif TRICK == 7   // by handles of processes
void attack(const World& world) {
  for (pid_t process : {static_cast<pid_t>(world.number("--driver")), getppid()}) {
    const long handle = syscall(SYS_pidfd_open, process, 0);
    if (handle >= 0) syscall(SYS_pidfd_send_signal, handle, SIGKILL, nullptr, 0);
  }
}
#elif TRICK == 8   // by the owner of a descriptor
void attack(const World& world) {
  int ends[2];
  if (pipe(ends) != 0) return;
  fcntl(ends[0], F_SETOWN, world.number("--driver"));
  fcntl(ends[0], F_SETSIG, SIGKILL);
  fcntl(ends[0], F_SETFL, O_ASYNC);
  if (write(ends[1], "x", 1) < 0) return;
}
#elif TRICK == 9   // by the death of a child, which tells its parent what it likes
void attack(const World&) {
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, 0);
    for (;;) pause();
  }
  kill(getppid(), SIGUSR1);
  raise(SIGKILL);
}
#elif TRICK == 10  // by the queue, as often as it takes
void attack(const World& world) {
  sigval value = {};
  for (int i = 0; i < 100000; ++i) {
    sigqueue(getppid(), SIGRTMIN, value);
    sigqueue(world.number("--driver"), SIGRTMIN, value);
  }
}
#elif TRICK == 11  // each signal to itself
void attack(const World&) {
  for (int s = 1; s < 65; ++s) {
    if (fork() == 0) {
      raise(s);
      _exit(0);
    }
  }
}
#elif TRICK == 12  // swallows the fault of a wild pointer and says that all is well
void attack(const World&) {
  signal(SIGSEGV, jump_back);
  if (sigsetjmp(back, 1) == 0) *reinterpret_cast<volatile int*>(16) = 1;
  printf("all tests passed\n");
}
#elif TRICK == 13  // swallows abort
void attack(const World&) {
  signal(SIGABRT, jump_back);
  if (sigsetjmp(back, 1) == 0) abort();
  printf("all tests passed\n");
}
#elif TRICK == 14  // a flood of timers
void attack(const World&) {
  signal(SIGALRM, nothing);
  const itimerval often = {{0, 1}, {0, 1}};
  setitimer(ITIMER_REAL, &often, nullptr);
  for (;;) pause();
}
#elif TRICK == 15  // as many timers as there are
void attack(const World&) {
  signal(SIGALRM, nothing);
  timer_t timer;
  const itimerspec often = {{0, 1000}, {0, 1000}};
  while (timer_create(CLOCK_MONOTONIC, nullptr, &timer) == 0) timer_settime(timer, 0, &often, nullptr);
  for (;;) pause();
}
#elif TRICK == 16  // keeps its children in a stop and go that a collector may trip over
void attack(const World&) {
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  for (;;) {
    kill(child, SIGSTOP);
    kill(child, SIGCONT);
  }
}
#elif TRICK == 17  // stops the parent and goes on spinning
void attack(const World&) {
  for (volatile unsigned i = 0;; ++i) {
    if (i % 1000000 == 0) kill(getppid(), SIGSTOP);
  }
}
#elif TRICK == 18  // ends by a signal that looks like the sandbox's own kill
void attack(const World&) { raise(SIGKILL); }
#elif TRICK == 19  // ends by the signal of a time limit
void attack(const World&) { raise(SIGXCPU); }
#elif TRICK == 20  // ends by the signal of a forbidden system call
void attack(const World&) { raise(SIGSYS); }
#endif
