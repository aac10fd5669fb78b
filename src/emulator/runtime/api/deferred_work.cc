#include "runtime/api/deferred_work.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "cuset_emulator/host_api.h"
#include "runtime/api/api_call.h"
#include "runtime/api/error_state.h"
#include "runtime/launch/schedule.h"

namespace cuset_emulator {
namespace {

struct Item {
  uint64_t number;
  Work work;
  std::optional<StreamPlace> waits_for;
};

struct Queue {
  std::deque<Item> items;
  bool blocking = true;
};

struct Deferred {
  std::atomic<bool> active{false};
  uint64_t numbers = 0;
  std::map<cudaStream_t, Queue> queues;
};

// Never destroyed: the program's own destructors may still launch.
Deferred& deferred() {
  static Deferred& instance = *new Deferred;
  return instance;
}

cudaStream_t key_of(cudaStream_t stream) { return stream == cudaStreamLegacy ? nullptr : stream; }

bool is_blocking(cudaStream_t stream) {
  unsigned flags = 0;
  return stream == cudaStreamPerThread || cudaStreamGetFlags(stream, &flags) != cudaSuccess ||
         flags != cudaStreamNonBlocking;
}

Queue& queue_of(cudaStream_t key) {
  const auto [found, is_new] = deferred().queues.try_emplace(key);
  if (is_new && key != nullptr) found->second.blocking = is_blocking(key);
  return found->second;
}

void run_until(cudaStream_t key, uint64_t number);

// What the stream's next item has to wait for.
void finish_before(cudaStream_t key, bool blocking, const Item& item) {
  if (item.waits_for) run_until(item.waits_for->stream, item.waits_for->number);
  if (key == nullptr) {
    std::vector<cudaStream_t> others;
    for (const auto& [other, queue] : deferred().queues)
      if (other != nullptr && queue.blocking) others.push_back(other);
    for (cudaStream_t other : others) run_until(other, item.number);
  } else if (blocking) {
    run_until(nullptr, item.number);
  }
}

void run_until(cudaStream_t key, uint64_t number) {
  while (true) {
    const auto found = deferred().queues.find(key);
    if (found == deferred().queues.end()) return;
    Queue& queue = found->second;
    if (queue.items.empty() || queue.items.front().number > number) return;
    const Item item = std::move(queue.items.front());
    queue.items.pop_front();
    finish_before(key, queue.blocking, item);
    if (item.work && waiting_fault() == cudaSuccess && shown_fault() == cudaSuccess) item.work();
  }
}

StreamPlace put(cudaStream_t stream, Work work, std::optional<StreamPlace> waits_for) {
  const cudaStream_t key = key_of(stream);
  const uint64_t number = ++deferred().numbers;
  queue_of(key).items.push_back({number, std::move(work), waits_for});
  return {key, number};
}

// Streams that have work, the one used last first.
std::vector<cudaStream_t> streams_with_work() {
  std::vector<std::pair<uint64_t, cudaStream_t>> open;
  for (const auto& [key, queue] : deferred().queues)
    if (!queue.items.empty()) open.push_back({queue.items.front().number, key});
  std::sort(open.rbegin(), open.rend());
  std::vector<cudaStream_t> streams;
  for (const auto& [first, key] : open) streams.push_back(key);
  return streams;
}

// Before the host waits for this stream.
void run_others_first(cudaStream_t waited_for) {
  if (!Schedule::of_program().runs_other_streams_first()) return;
  for (cudaStream_t key : streams_with_work())
    if (key != waited_for) run_until(key, deferred().numbers);
}

}  // namespace

bool defers_work() { return deferred().active.load(std::memory_order_relaxed); }

void defer_work() {
  if (!deferred().active.exchange(true))
    std::atexit(finish_pending_work);  // kernels that nobody waited for still run
}

StreamPlace put_work(cudaStream_t stream, Work work) { return put(stream, std::move(work), std::nullopt); }

void put_wait(cudaStream_t stream, const StreamPlace& place) {
  if (!is_done(place)) put(stream, nullptr, place);
}

bool is_done(const StreamPlace& place) {
  const auto found = deferred().queues.find(place.stream);
  return found == deferred().queues.end() || found->second.items.empty() ||
         found->second.items.front().number > place.number;
}

void finish_work(const StreamPlace& place) {
  if (!is_done(place)) run_others_first(place.stream);
  run_until(place.stream, place.number);
}

StreamPlace last_work(cudaStream_t stream) { return {key_of(stream), deferred().numbers}; }

void finish_stream(cudaStream_t stream) {
  const cudaStream_t key = key_of(stream);
  const uint64_t number = deferred().numbers;
  if (!is_done({key, number})) run_others_first(key);
  run_until(key, number);
  if (key != nullptr) return;
  const Item now{number, nullptr, std::nullopt};
  finish_before(nullptr, true, now);
}

void finish_all_streams() {
  for (cudaStream_t key : streams_with_work()) run_until(key, deferred().numbers);
}

void finish_pending_work() {
  if (!defers_work()) return;
  const std::lock_guard lock(device_mutex());
  finish_all_streams();
}

}  // namespace cuset_emulator

// Called by the judge's start before each trial, numbered from 0.
extern "C" void cuset_begin_trial(uint64_t trial) {
  using namespace cuset_emulator;
  const std::lock_guard lock(device_mutex());
  finish_all_streams();
  begin_trial(trial);
}
