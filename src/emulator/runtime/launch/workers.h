// The threads that run blocks: the launching thread and one more per further core. They sleep between
// launches.
#pragma once

#include <cstdint>
#include <functional>

namespace cuset_emulator {

// $CUSET_EMULATOR_THREADS, else the cores this process may use.
uint32_t worker_count();

// Calls work(worker) on `count` workers at once, worker 0 on the calling thread; returns when all are done.
// One call at a time.
void run_on_workers(uint32_t count, const std::function<void(uint32_t)>& work);

}  // namespace cuset_emulator
