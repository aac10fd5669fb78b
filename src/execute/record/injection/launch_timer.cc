#include "execute/record/injection/launch_timer.h"

#include <dlfcn.h>

namespace cuset_injection {
namespace {

constexpr size_t kMostPending = 4096;

// The runtime's own functions: asking through the interposed ones would count our questions as the program's.
struct Events {
  decltype(&cudaEventCreateWithFlags) create;
  decltype(&cudaEventRecord) record;
  decltype(&cudaEventQuery) query;
  decltype(&cudaEventSynchronize) wait;
  decltype(&cudaEventElapsedTime) elapsed;
  decltype(&cudaEventDestroy) destroy;
  decltype(&cudaStreamIsCapturing) is_capturing;
  decltype(&cudaPeekAtLastError) peek_error;
  decltype(&cudaGetLastError) take_error;

  bool whole() const {
    return create && record && query && wait && elapsed && destroy && is_capturing && peek_error &&
           take_error;
  }
};

template <typename Function>
void find(const char* name, Function& function) {
  function = reinterpret_cast<Function>(hidden_function(name));
}

const Events& events() {
  static const Events found = [] {
    Events all{};
    find("cudaEventCreateWithFlags", all.create);
    find("cudaEventRecord", all.record);
    find("cudaEventQuery", all.query);
    find("cudaEventSynchronize", all.wait);
    find("cudaEventElapsedTime", all.elapsed);
    find("cudaEventDestroy", all.destroy);
    find("cudaStreamIsCapturing", all.is_capturing);
    find("cudaPeekAtLastError", all.peek_error);
    find("cudaGetLastError", all.take_error);
    return all;
  }();
  return found;
}

// The error that the program may still ask for: our own calls are made only where there is none, and leave
// none behind (an event that is not ready counts as one).
class ProgramsError {
 public:
  ProgramsError() : set_(!events().whole() || events().peek_error() != cudaSuccess) {}
  ~ProgramsError() {
    if (!set_) events().take_error();
  }
  ProgramsError(const ProgramsError&) = delete;
  ProgramsError& operator=(const ProgramsError&) = delete;

  bool is_set() const { return set_; }

 private:
  bool set_;
};

}  // namespace

void* hidden_function(const char* name) { return ::dlsym(RTLD_NEXT, name); }

LaunchTimer& LaunchTimer::get() {
  static LaunchTimer* const timer = new LaunchTimer;  // outlives the program's destructors
  return *timer;
}

bool LaunchTimer::is_capturing(cudaStream_t stream) const {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  const Events& runtime = events();
  return runtime.whole() && runtime.is_capturing(stream, &capture) == cudaSuccess &&
         capture != cudaStreamCaptureStatusNone;
}

cudaEvent_t LaunchTimer::mark(cudaStream_t stream) {
  const Events& runtime = events();
  const ProgramsError kept;
  cudaEvent_t event = nullptr;
  if (kept.is_set() || runtime.create(&event, cudaEventDefault) != cudaSuccess) return nullptr;
  if (runtime.record(event, stream) == cudaSuccess) return event;
  runtime.destroy(event);
  return nullptr;
}

void LaunchTimer::launched(cudaEvent_t start, cudaStream_t stream, const char* mangled, const Shape& shape,
                           uint64_t shared_bytes) {
  cudaEvent_t end = mark(stream);
  if (end == nullptr) {
    events().destroy(start);
    return;
  }
  bool full = false;
  {
    const std::lock_guard guard(mutex_);
    pending_.push_back({start, end, mangled, shape, shared_bytes});
    full = pending_.size() > kMostPending;
  }
  harvest(full);
}

void LaunchTimer::harvest(bool wait) {
  const std::lock_guard guard(mutex_);
  const Events& runtime = events();
  const ProgramsError kept;
  while (!kept.is_set() && !pending_.empty()) {
    const Pending& launch = pending_.front();
    const cudaError_t state = wait ? runtime.wait(launch.end) : runtime.query(launch.end);
    if (state == cudaErrorNotReady) return;
    float milliseconds = 0;
    if (state == cudaSuccess && runtime.elapsed(&milliseconds, launch.start, launch.end) == cudaSuccess) {
      const auto nanoseconds = static_cast<uint64_t>(static_cast<double>(milliseconds) * 1e6);
      RecordWriter::get()->completed(launch.mangled.c_str(), launch.shape, {launch.shared_bytes},
                                     nanoseconds);
    }
    runtime.destroy(launch.start);
    runtime.destroy(launch.end);
    pending_.pop_front();
  }
}

}  // namespace cuset_injection
