// All the memory of the machine, by every door.
#include "hostile.h"

#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/syscall.h>

#include <new>
#include <vector>

namespace {

constexpr size_t kStep = 16 << 20;

// Compilers know that nobody reads the memory, and would leave it all out.
[[maybe_unused]] void touch(void* memory, size_t size) {
  if (memory != nullptr) memset(memory, 1, size);
  __asm__ volatile("" : : "r"(memory) : "memory");
}
[[maybe_unused]] void fill_file(int file) {
  static char bytes[1 << 20];
  while (file >= 0 && write(file, bytes, sizeof(bytes)) > 0) {
  }
}
[[maybe_unused]] __attribute__((noinline)) int deeper(int depth) {
  volatile char frame[4096];
  frame[depth % 4096] = 1;
  return deeper(depth + 1) + frame[0];
}

}  // namespace

#if TRICK == 1  // allocated and touched
void attack(const World&) {
  for (;;) touch(malloc(kStep), kStep);
}
#elif TRICK == 2   // mapped and filled at once
void attack(const World&) {
  for (;;) mmap(nullptr, kStep, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
}
#elif TRICK == 3   // shared memory by name
void attack(const World& world) {
  char name[128];
  snprintf(name, sizeof(name), "/%s", world.text("--token"));
  fill_file(shm_open(name, O_CREAT | O_RDWR, 0600));
  pause();
}
#elif TRICK == 4   // shared memory of System V, left behind
void attack(const World&) {
  for (;;) {
    const int segment = shmget(IPC_PRIVATE, kStep, IPC_CREAT | 0600);
    void* memory = segment < 0 ? reinterpret_cast<void*>(-1) : shmat(segment, nullptr, 0);
    if (memory == reinterpret_cast<void*>(-1)) return;
    memset(memory, 1, kStep);
  }
}
#elif TRICK == 5   // files without a name in memory
void attack(const World&) {
  for (;;) {
    const long file = syscall(SYS_memfd_create, "x", 0);
    if (file < 0) return;
    fill_file(static_cast<int>(file));
  }
}
#elif TRICK == 6   // its /tmp
void attack(const World&) {
  for (int i = 0; i < 100; ++i) {
    char name[32];
    snprintf(name, sizeof(name), "/tmp/fill%d", i);
    fill_file(open(name, O_CREAT | O_WRONLY, 0600));
  }
}
#elif TRICK == 7   // its /dev/shm
void attack(const World& world) {
  char name[256];
  snprintf(name, sizeof(name), "/dev/shm/%s", world.text("--token"));
  fill_file(open(name, O_CREAT | O_WRONLY, 0600));
}
#elif TRICK == 8   // the stack
void attack(const World&) {
  const rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_STACK, &unlimited);
  printf("%d\n", deeper(0));
}
#elif TRICK == 9   // locked, so that nothing can be written out
void attack(const World&) {
  mlockall(MCL_CURRENT | MCL_FUTURE);
  for (;;) touch(malloc(kStep), kStep);
}
#elif TRICK == 10  // by many children, each below the limit
void attack(const World&) {
  for (int i = 0; i < 40; ++i) {
    if (fork() == 0) {
      touch(malloc(100 << 20), 100 << 20);
      for (;;) pause();
    }
  }
  pause();
}
#elif TRICK == 11  // in pipes
void attack(const World&) {
  static char bytes[1 << 20];
  int ends[2];
  while (pipe(ends) == 0) {
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    while (write(ends[1], bytes, sizeof(bytes)) > 0) {
    }
  }
  pause();
}
#elif TRICK == 12  // in huge pages
void attack(const World&) {
  for (;;) {
    void* memory =
        mmap(nullptr, kStep, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
    if (memory == MAP_FAILED)
      memory = mmap(nullptr, kStep, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    madvise(memory, kStep, MADV_HUGEPAGE);
    memset(memory, 1, kStep);
  }
}
#elif TRICK == 13  // in tables of the kernel: one page of each gigabyte
void attack(const World&) {
  for (;;) {
    char* memory = static_cast<char*>(mmap(nullptr, 1ull << 40, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (memory == MAP_FAILED) return;
    for (size_t at = 0; at < 1ull << 40; at += 1ull << 21) memory[at] = 1;
  }
}
#elif TRICK == 14  // in as many mappings as there may be
void attack(const World&) {
  for (int i = 0;; ++i) {
    if (mmap(nullptr, 4096, i % 2 == 0 ? PROT_READ : PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
        MAP_FAILED)
      pause();
  }
}
#elif TRICK == 15  // in a vector, catching every failure
void attack(const World&) {
  std::vector<char*> pieces;
  size_t size = size_t{1} << 30;
  for (;;) {
    try {
      pieces.push_back(new char[size]);
      touch(pieces.back(), size);
    } catch (const std::bad_alloc&) {
      size = size > 4096 ? size / 2 : 4096;
    }
  }
}
#elif TRICK == 16  // protected from the killer
void attack(const World&) {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY);
  if (write(file, "-1000", 5) < 0) perror("oom_score_adj");
  for (;;) touch(malloc(kStep), kStep);
}
#elif TRICK == 17  // one allocation of an exabyte
void attack(const World&) {
  touch(malloc(size_t{1} << 60), size_t{1} << 60);
  printf("%s\n", strerror(errno));
}
#elif TRICK == 18  // by a child after the parent has ended
void attack(const World&) {
  if (fork() != 0) return;
  setsid();
  for (;;) touch(malloc(kStep), kStep);
}
#elif TRICK == 19  // in names of files that do not exist
void attack(const World&) {
  for (unsigned i = 0;; ++i) {
    char name[64];
    snprintf(name, sizeof(name), "/tmp/none%u", i);
    if (access(name, F_OK) == 0) return;
  }
}
#endif
