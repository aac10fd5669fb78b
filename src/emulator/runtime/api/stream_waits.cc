#include "runtime/api/stream_waits.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "cuset_emulator/host_api.h"
#include "cuset_emulator/library_work.h"
#include "runtime/launch/timeline.h"

namespace cuset_emulator {
namespace {

struct Place {
  cudaStream_t stream = nullptr;
  uint64_t number = 0;
};

struct Wait {
  uint64_t number;
  Place waits_for;
};

struct Use {
  uint64_t last = 0;    // its last work
  uint64_t waited = 0;  // until when somebody waited
  std::vector<Wait> waits;
};

struct StreamWaits {
  std::mutex mutex;
  uint64_t numbers = 0;
  std::map<cudaStream_t, Use> streams;  // that do not wait for the default stream
  std::map<cudaEvent_t, Place> events;

  // The default stream or the host waits for this place and all that came before it.
  void settle(const Place& place) {
    const auto found = streams.find(place.stream);
    if (found == streams.end() || found->second.waited >= place.number) return;
    found->second.waited = place.number;
    for (const Wait& wait : found->second.waits)
      if (wait.number <= place.number) settle(wait.waits_for);
  }

  bool has_unwaited_work() const {
    for (const auto& [stream, use] : streams)
      if (use.last > use.waited) return true;
    return false;
  }

  void forget() {
    streams.clear();
    events.clear();
  }
};

StreamWaits& stream_waits() {
  static StreamWaits& instance = *new StreamWaits;
  return instance;
}

bool stands_alone(cudaStream_t stream) {
  unsigned flags = 0;
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return false;
  return cudaStreamGetFlags(stream, &flags) == cudaSuccess && flags == cudaStreamNonBlocking;
}

thread_local cudaStream_t current_stream = nullptr;

// change(StreamWaits&) where a timeline is kept.
template <class Change>
void note(Change change) {
  if (!has_timeline()) return;
  StreamWaits& waits = stream_waits();
  const std::lock_guard lock(waits.mutex);
  change(waits);
}

}  // namespace

void note_stream_work(cudaStream_t stream) {
  if (!has_timeline() || !stands_alone(stream)) return;
  note([&](StreamWaits& waits) { waits.streams[stream].last = ++waits.numbers; });
}

void note_event_record(cudaEvent_t event, cudaStream_t stream) {
  note([&](StreamWaits& waits) { waits.events[event] = {stream, ++waits.numbers}; });
}

void note_event_wait(cudaStream_t stream, cudaEvent_t event) {
  const bool alone = has_timeline() && stands_alone(stream);
  note([&](StreamWaits& waits) {
    const Place place = waits.events[event];
    if (alone) {
      waits.streams[stream].waits.push_back({++waits.numbers, place});
    } else {
      waits.settle(place);
    }
  });
}

void note_stream_synchronized(cudaStream_t stream) {
  note([&](StreamWaits& waits) { waits.settle({stream, waits.numbers}); });
}

void note_event_synchronized(cudaEvent_t event) {
  note([&](StreamWaits& waits) { waits.settle(waits.events[event]); });
}

void note_device_synchronized() {
  note([](StreamWaits& waits) { waits.forget(); });
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

void* cuset_current_stream(void) { return current_stream; }

void cuset_use_stream(void* stream) { current_stream = static_cast<cudaStream_t>(stream); }

void cuset_note_stream_work(void) { note_stream_work(current_stream); }

void cuset_end_call(void) {
  note([](StreamWaits& waits) {
    if (waits.has_unwaited_work()) note_word("unwaited_stream");
    waits.forget();
  });
  note_word("end_of_call");  // so that a line that is missing before it shows
}

}  // extern "C"
