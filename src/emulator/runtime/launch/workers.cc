#include "runtime/launch/workers.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

namespace cuset_emulator {
namespace {

constexpr size_t kStackBytes = 64u << 20;  // device code may recurse deeply; untouched pages cost nothing

uint32_t cores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<uint32_t>(CPU_COUNT(&set));
  return 1;
}

// Never destroyed: the workers wait on it until the process ends.
struct Pool {
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable done;
  const std::function<void(uint32_t)>* work = nullptr;
  uint64_t turn = 0;
  uint32_t started = 1;  // worker 0 is the caller
  uint32_t wanted = 0;
  uint32_t busy = 0;
  pid_t process = ::getpid();

  void serve(uint32_t worker, uint64_t seen) {
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [&] { return turn != seen; });
      seen = turn;
      if (worker >= wanted) continue;
      const auto* mine = work;
      lock.unlock();
      (*mine)(worker);
      lock.lock();
      if (--busy == 0) done.notify_one();
    }
  }
};

struct Beginning {
  Pool* pool;
  uint32_t worker;
  uint64_t turn;
};

void* worker_main(void* argument) {
  const Beginning beginning = *static_cast<Beginning*>(argument);
  delete static_cast<Beginning*>(argument);
  beginning.pool->serve(beginning.worker, beginning.turn);
  return nullptr;
}

// A forked child has none of the threads: it gets a pool of its own.
Pool& pool() {
  static Pool* current = new Pool;
  if (current->process != ::getpid()) current = new Pool;
  return *current;
}

// False where the system gives no more threads: those that are there do the work.
bool start_worker(Pool& pool) {
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStackBytes);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  auto* beginning = new Beginning{&pool, pool.started, pool.turn};
  const bool made = ::pthread_create(&thread, &attributes, worker_main, beginning) == 0;
  ::pthread_attr_destroy(&attributes);
  if (made) {
    ++pool.started;
  } else {
    delete beginning;
  }
  return made;
}

}  // namespace

uint32_t worker_count() {
  static const uint32_t count = [] {
    const char* text = std::getenv("CUSET_EMULATOR_THREADS");
    const long wanted = text != nullptr ? std::strtol(text, nullptr, 10) : 0;
    return wanted > 0 ? static_cast<uint32_t>(std::min(wanted, 1024L)) : cores();
  }();
  return count;
}

void run_on_workers(uint32_t count, const std::function<void(uint32_t)>& work) {
  if (count <= 1) return work(0);
  Pool& threads = pool();
  {
    std::lock_guard lock(threads.mutex);
    while (threads.started < count && start_worker(threads)) {
    }
    threads.wanted = std::min(count, threads.started);
    threads.busy = threads.wanted - 1;
    threads.work = &work;
    ++threads.turn;
  }
  threads.wake.notify_all();
  work(0);
  std::unique_lock lock(threads.mutex);
  threads.done.wait(lock, [&] { return threads.busy == 0; });
}

}  // namespace cuset_emulator
