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
  cuset_emulator::StreamPlace place;
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

// The work of the stream before it is left for later: so is the record.
cudaError_t record_later(cudaEvent_t event, cudaStream_t stream) {
  const StreamPlace place = put_work(stream, [event] { return record(event); });
  std::lock_guard lock(events().mutex);
  CUevent_st* found = find(event);
  if (!found) return cudaErrorInvalidResourceHandle;
  found->recorded = true;
  found->place = place;
  return cudaSuccess;
}

cudaError_t elapsed(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!milliseconds) return cudaErrorInvalidValue;
  std::lock_guard lock(events().mutex);
  CUevent_st* first = find(start);
  CUevent_st* last = find(end);
  if (!first || !last || !first->recorded || !last->recorded) return cudaErrorInvalidResourceHandle;
  if ((first->flags | last->flags) & cudaEventDisableTiming) return cudaErrorInvalidResourceHandle;
  if (!is_done(first->place) || !is_done(last->place)) return cudaErrorNotReady;
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

StreamPlace place_of(cudaEvent_t event) {
  std::lock_guard lock(events().mutex);
  const CUevent_st* found = find(event);
  return found ? found->place : StreamPlace{};
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
  note_event_record(event, stream);
  if (!defers_work() || is_capturing(stream))
    return enqueue(stream, [event] { return record(event); }, {cudaGraphNodeTypeEmpty});
  return api_call(CallKind::kEnqueues, [&] {
    return is_stream(stream) ? record_later(event, stream) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  note_event_synchronized(event);
  return api_wait([&] { finish_work(place_of(event)); }, [&] { return check(event); });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  note_event_synchronized(event);  // work has run when it is asked for
  const auto finish = [&] {
    const StreamPlace place = place_of(event);
    if (is_done(place)) return false;
    finish_work(place);
    return true;
  };
  return api_query(finish, [&] { return check(event); });
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
