#include "runtime/api/events.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>

#include "cuset_emulator/host_api.h"
#include "runtime/api/stream_work.h"

using Clock = std::chrono::steady_clock;

struct CUevent_st {
  unsigned flags = 0;
  bool recorded = false;
  Clock::time_point time;
};

namespace cuset_emulator {
namespace {

constexpr unsigned kAllFlags = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

struct Events {
  std::mutex mutex;
  std::map<cudaEvent_t, std::unique_ptr<CUevent_st>> living;
};

Events& events() {
  static Events& instance = *new Events;
  return instance;
}

// The events are locked.
CUevent_st* find(cudaEvent_t event) {
  auto found = events().living.find(event);
  return found == events().living.end() ? nullptr : found->second.get();
}

cudaError_t create(cudaEvent_t* event, unsigned flags) {
  if (!event || flags > kAllFlags) return cudaErrorInvalidValue;
  auto made = std::make_unique<CUevent_st>();
  made->flags = flags;
  std::lock_guard lock(events().mutex);
  *event = made.get();
  events().living.emplace(*event, std::move(made));
  return cudaSuccess;
}

cudaError_t record(cudaEvent_t event) {
  std::lock_guard lock(events().mutex);
  CUevent_st* found = find(event);
  if (!found) return cudaErrorInvalidResourceHandle;
  found->recorded = true;
  found->time = Clock::now();
  return cudaSuccess;
}

cudaError_t elapsed(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!milliseconds) return cudaErrorInvalidValue;
  std::lock_guard lock(events().mutex);
  CUevent_st* first = find(start);
  CUevent_st* last = find(end);
  if (!first || !last || !first->recorded || !last->recorded) return cudaErrorInvalidResourceHandle;
  if ((first->flags | last->flags) & cudaEventDisableTiming) return cudaErrorInvalidResourceHandle;
  *milliseconds = std::chrono::duration<float, std::milli>(last->time - first->time).count();
  return cudaSuccess;
}

cudaError_t check(cudaEvent_t event) {
  return is_event(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

}  // namespace

bool is_event(cudaEvent_t event) {
  std::lock_guard lock(events().mutex);
  return find(event) != nullptr;
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return api_call(CallKind::kImmediate, [&] { return create(event, 0); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api_call(CallKind::kImmediate, [&] { return create(event, flags); });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (!is_event(event)) return remember(cudaErrorInvalidResourceHandle);
  capture_event(event, stream);
  return enqueue(stream, [event] { return record(event); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return api_call(CallKind::kSynchronizes, [&] { return check(event); });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return api_query([&] { return check(event); });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return api_call(CallKind::kImmediate, [&] { return elapsed(milliseconds, start, end); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return api_call(CallKind::kImmediate, [&] {
    std::lock_guard lock(events().mutex);
    return events().living.erase(event) > 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

}  // extern "C"
