#include "runtime/api/streams.h"

#include <map>
#include <memory>
#include <mutex>

#include "cuset_emulator/host_api.h"
#include "runtime/api/api_call.h"
#include "runtime/api/deferred_work.h"
#include "runtime/api/events.h"
#include "runtime/api/graphs.h"
#include "runtime/api/stream_waits.h"
#include "runtime/launch/device_output.h"

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  // Hints, kept for who asks for them.
  cudaAccessPolicyWindow window = {};
  cudaSynchronizationPolicy policy = cudaSyncPolicyAuto;
};

namespace cuset_emulator {
namespace {

constexpr int kHighestPriority = -5;

struct Streams {
  std::mutex mutex;
  CUstream_st standard;  // hints about the default stream
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

// The stream's settings, which are locked; null if there is no such stream.
CUstream_st* find_stream(cudaStream_t stream) {
  if (is_default(stream)) return &streams().standard;
  auto found = streams().living.find(stream);
  return found == streams().living.end() ? nullptr : found->second.get();
}

bool is_window(const cudaAccessPolicyWindow& window) {
  return window.hitRatio >= 0 && window.hitRatio <= 1 && window.hitProp <= cudaAccessPropertyPersisting &&
         window.missProp <= cudaAccessPropertyStreaming;
}

cudaError_t set_attribute(CUstream_st& stream, cudaStreamAttrID attribute, const cudaStreamAttrValue& value) {
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
      if (!is_window(value.accessPolicyWindow)) return cudaErrorInvalidValue;
      stream.window = value.accessPolicyWindow;
      return cudaSuccess;
    case cudaLaunchAttributeSynchronizationPolicy:
      if (value.syncPolicy < cudaSyncPolicyAuto || value.syncPolicy > cudaSyncPolicyBlockingSync)
        return cudaErrorInvalidValue;
      stream.policy = value.syncPolicy;
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      stream.priority = value.priority;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t get_attribute(const CUstream_st& stream, cudaStreamAttrID attribute, cudaStreamAttrValue& value) {
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
      value.accessPolicyWindow = stream.window;
      return cudaSuccess;
    case cudaLaunchAttributeSynchronizationPolicy:
      value.syncPolicy = stream.policy;
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      value.priority = stream.priority;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

// body(CUstream_st&) of a stream that there is.
template <class Body>
cudaError_t with_stream(cudaStream_t stream, Body body) {
  return api_call(CallKind::kImmediate, [&] {
    const std::lock_guard lock(streams().mutex);
    CUstream_st* found = find_stream(stream);
    return found ? body(*found) : cudaErrorInvalidResourceHandle;
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
  note_stream_synchronized(stream);
  return api_wait([&] { finish_stream(stream); }, [&] { return check(stream); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  note_stream_synchronized(stream);  // work has run when it is asked for
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

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return with_stream(stream,
                     [&](CUstream_st&) { return put(id, reinterpret_cast<unsigned long long>(stream)); });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  return with_stream(stream, [&](CUstream_st& found) {
    return value ? set_attribute(found, attribute, *value) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  return with_stream(stream, [&](CUstream_st& found) {
    return value ? get_attribute(found, attribute, *value) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return with_stream(to, [&](CUstream_st& target) {
    const CUstream_st* source = find_stream(from);
    if (!source) return cudaErrorInvalidResourceHandle;
    target.window = source->window;
    target.policy = source->policy;
    return cudaSuccess;
  });
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
    note_event_wait(stream, event);
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
    if (is_capturing(stream) && capture(stream, {cudaGraphNodeTypeHost, call})) return cudaSuccess;
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
