#include "runtime/api/streams.h"

#include <map>
#include <memory>
#include <mutex>

#include "cuset_emulator/host_api.h"
#include "runtime/api/api_call.h"
#include "runtime/api/deferred_work.h"
#include "runtime/api/events.h"
#include "runtime/api/graphs.h"
#include "runtime/launch/device_output.h"

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
};

namespace cuset_emulator {
namespace {

constexpr int kHighestPriority = -5;

struct Streams {
  std::mutex mutex;
  std::map<cudaStream_t, std::unique_ptr<CUstream_st>> living;
};

Streams& streams() {
  static Streams& instance = *new Streams;
  return instance;
}

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

cudaError_t create(cudaStream_t* stream, unsigned flags, int priority) {
  if (!stream || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  auto made = std::make_unique<CUstream_st>();
  made->flags = flags;
  made->priority = priority < kHighestPriority ? kHighestPriority : priority > 0 ? 0 : priority;
  std::lock_guard lock(streams().mutex);
  *stream = made.get();
  streams().living.emplace(*stream, std::move(made));
  return cudaSuccess;
}

// Settings of a stream, by `read(const CUstream_st&)`; a default stream has default settings.
template <class Read>
cudaError_t ask(cudaStream_t stream, Read read) {
  return api_call(CallKind::kImmediate, [&] {
    if (is_default(stream)) return read(CUstream_st{});
    std::lock_guard lock(streams().mutex);
    auto found = streams().living.find(stream);
    return found == streams().living.end() ? cudaErrorInvalidResourceHandle : read(*found->second);
  });
}

// Nothing waits for work that is only being captured.
cudaError_t check(cudaStream_t stream) {
  if (is_capturing(stream)) return cudaErrorStreamCaptureUnsupported;
  return is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

template <class T>
cudaError_t put(T* result, T value) {
  if (!result) return cudaErrorInvalidValue;
  *result = value;
  return cudaSuccess;
}

}  // namespace

bool is_stream(cudaStream_t stream) {
  if (is_default(stream)) return true;
  std::lock_guard lock(streams().mutex);
  return streams().living.count(stream) > 0;
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return api_call(CallKind::kImmediate, [&] { return create(stream, 0, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return api_call(CallKind::kImmediate, [&] { return create(stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return api_call(CallKind::kImmediate, [&] { return create(stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api_call(CallKind::kImmediate, [&] {
    std::lock_guard lock(streams().mutex);
    return streams().living.erase(stream) > 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api_wait([&] { finish_stream(stream); }, [&] { return check(stream); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  const auto finish = [&] {
    if (is_done(last_work(stream))) return false;
    finish_stream(stream);
    return true;
  };
  return api_query(finish, [&] { return check(stream); });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return ask(stream, [&](const CUstream_st& settings) { return put(flags, settings.flags); });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return ask(stream, [&](const CUstream_st& settings) { return put(priority, settings.priority); });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api_call(CallKind::kImmediate, [&] {
    if (least) *least = 0;
    if (greatest) *greatest = kHighestPriority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return api_call(CallKind::kImmediate, [&] {
    if (!is_stream(stream) || !is_event(event)) return cudaErrorInvalidResourceHandle;
    join_capture(stream, event);
    const std::lock_guard lock(device_mutex());
    put_wait(stream, place_of(event));
    return cudaSuccess;
  });
}

// Functions of a stream run without the device: they may wait for other threads that use it.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return api_call(CallKind::kImmediate, [&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (!function) return cudaErrorInvalidValue;
    Work call = [=] {
      function(data);
      return cudaSuccess;
    };
    if (is_capturing(stream) && capture(stream, call)) return cudaSuccess;
    if (defers_work()) {
      const std::lock_guard lock(device_mutex());
      put_work(stream, call);
      return cudaSuccess;
    }
    return waiting_fault() == cudaSuccess ? call() : cudaSuccess;
  });
}

// Called even after a fault, which it is told.
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  return api_call(CallKind::kImmediate, [&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (!callback || flags != 0) return cudaErrorInvalidValue;
    if (defers_work()) {
      const std::lock_guard lock(device_mutex());
      finish_stream(stream);
    }
    flush_device_output();
    callback(stream, waiting_fault(), data);
    return cudaSuccess;
  });
}

}  // extern "C"
