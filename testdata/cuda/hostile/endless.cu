// Programs that never end, on the host and on the device, and resist being asked to.
#include "hostile.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace {

[[noreturn, maybe_unused]] void spin() {
  for (volatile unsigned i = 0;; ++i) {
  }
}
[[maybe_unused]] void ignore(int) {}
[[maybe_unused]] void stop_again(int) {
  for (;;) raise(SIGSTOP);
}
[[maybe_unused]] void spin_here(int) { spin(); }
[[maybe_unused]] void CUDART_CB spin_on_host(void*) { spin(); }

}  // namespace

__global__ void loop_on_volatile(volatile int* value) {
  while (*value >= 0) *value = 1;
}
__global__ void loop_counting(unsigned long long* value) {
  for (unsigned long long i = 1; i != 0; ++i) *value += i;
}
__global__ void wait_for_nobody(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void barrier_without_end() {
  for (;;) __syncthreads();
}
__global__ void missing_thread(int* out) {
  if (threadIdx.x == 0) {
    while (atomicAdd(out, 0) == 0) {
    }
  }
  __syncthreads();
  *out = 1;
}
__global__ void shuffle_without_end(int* out) {
  int value = threadIdx.x;
  while (value >= 0) value = __shfl_xor_sync(0xffffffffu, value, 1) & 31;
  *out = value;
}
__device__ __noinline__ int deeper(volatile int* out, int depth) {
  volatile int frame[64];
  frame[depth % 64] = *out;
  return deeper(out, depth + 1) + frame[depth % 64];
}
__global__ void recursion_without_end(volatile int* out) { *out = deeper(out, 0); }
__global__ void sleep_long() {
  for (;;) __nanosleep(1000000);
}

namespace {

[[maybe_unused]] int* zeroed() {
  int* memory = nullptr;
  cudaMalloc(&memory, 256);
  cudaMemset(memory, 0, 256);
  return memory;
}

}  // namespace

#if TRICK == 1  // an empty loop
void attack(const World&) { spin(); }
#elif TRICK == 2   // pause
void attack(const World&) {
  for (;;) pause();
}
#elif TRICK == 3   // sleep for ten years
void attack(const World&) { sleep(315360000); }
#elif TRICK == 4   // ignores every signal it can, and spins
void attack(const World&) {
  for (int s = 1; s < 65; ++s) signal(s, SIG_IGN);
  spin();
}
#elif TRICK == 5   // stops itself
void attack(const World&) { raise(SIGSTOP); }
#elif TRICK == 6   // stops itself as a terminal would
void attack(const World&) {
  for (;;) raise(SIGTSTP);
}
#elif TRICK == 7   // stops in the handler of SIGTERM, SIGCONT and others
void attack(const World&) {
  for (int s : {SIGTERM, SIGCONT, SIGINT, SIGHUP, SIGALRM, SIGXCPU}) signal(s, stop_again);
  raise(SIGTERM);
}
#elif TRICK == 8   // a kernel that loops over volatile memory
void attack(const World&) {
  loop_on_volatile<<<1, 1>>>(zeroed());
  cudaDeviceSynchronize();
}
#elif TRICK == 9   // a kernel that counts to 2^64 in every thread
void attack(const World&) {
  loop_counting<<<64, 256>>>(reinterpret_cast<unsigned long long*>(zeroed()));
  cudaDeviceSynchronize();
}
#elif TRICK == 10  // a kernel that waits for a flag nobody sets
void attack(const World&) {
  wait_for_nobody<<<2, 32>>>(zeroed());
  cudaDeviceSynchronize();
}
#elif TRICK == 11  // barriers without end
void attack(const World&) {
  barrier_without_end<<<4, 64>>>();
  cudaDeviceSynchronize();
}
#elif TRICK == 12  // a thread that never comes to the barrier
void attack(const World&) {
  missing_thread<<<1, 64>>>(zeroed());
  cudaDeviceSynchronize();
}
#elif TRICK == 13  // warp shuffles without end
void attack(const World&) {
  shuffle_without_end<<<1, 32>>>(zeroed());
  cudaDeviceSynchronize();
}
#elif TRICK == 14  // device recursion without end
void attack(const World&) {
  recursion_without_end<<<1, 32>>>(zeroed());
  cudaDeviceSynchronize();
}
#elif TRICK == 15  // a kernel that sleeps for ever
void attack(const World&) {
  sleep_long<<<1, 1>>>();
  cudaDeviceSynchronize();
}
#elif TRICK == 16  // launches without end
void attack(const World&) {
  int* memory = zeroed();
  for (;;) begin<<<1, 1>>>(memory);
}
#elif TRICK == 17  // a callback of a stream that never returns
void attack(const World&) {
  cudaLaunchHostFunc(nullptr, spin_on_host, nullptr);
  cudaDeviceSynchronize();
}
#elif TRICK == 18  // a lock taken twice
void attack(const World&) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
}
#elif TRICK == 19  // reads standard input and a terminal
void attack(const World&) {
  char byte = 0;
  while (read(0, &byte, 1) >= 0) {
  }
  for (;;) show("/dev/tty");
}
#elif TRICK == 20  // waits for a signal with all of them blocked
void attack(const World&) {
  sigset_t all;
  sigfillset(&all);
  for (;;) sigsuspend(&all);
}
#elif TRICK == 21  // an endless loop before main
struct First {
  First() { spin(); }
} first;
void attack(const World&) {}
#elif TRICK == 22  // an endless loop in atexit
void attack(const World&) {
  atexit([] { spin(); });
}
#elif TRICK == 23  // goes on in the handler of SIGXCPU, with a limit of its own
void attack(const World&) {
  signal(SIGXCPU, spin_here);
  const rlimit limit = {1, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &limit);
  spin();
}
#elif TRICK == 24  // a futex that nobody wakes
void attack(const World&) {
  int word = 0;
  for (;;) syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr, nullptr, 0);
}
#elif TRICK == 25  // a vfork child that never leaves its parent alone
void attack(const World&) {
  if (vfork() == 0) {
    for (;;) pause();
  }
}
#elif TRICK == 26  // yields at the lowest priority
void attack(const World&) {
  sched_param parameters = {};
  sched_setscheduler(0, SCHED_IDLE, &parameters);
  for (;;) sched_yield();
}
#elif TRICK == 27  // a handler of SIGSEGV that returns to the same fault
void attack(const World&) {
  signal(SIGSEGV, ignore);
  *reinterpret_cast<volatile int*>(8) = 1;
}
#elif TRICK == 28  // a select without end on its own pipe
void attack(const World&) {
  int ends[2];
  if (pipe(ends) != 0) return;
  fd_set set;
  for (;;) {
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    select(ends[0] + 1, &set, nullptr, nullptr, nullptr);
  }
}
#endif
