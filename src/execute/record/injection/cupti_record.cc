// libcuset_cuda_record.so: named by CUDA_INJECTION64_PATH, the driver loads it when it is initialized and
// calls InitializeInjection. CUPTI then tells two things, which together make the record:
//  - callbacks around calls: launches as they are made (what a killed program leaves), launches that were refused,
//    the result of every call of the runtime;
//  - activity records: kernels as they ended, with device times, also those launched from graphs. Where a timeline
//    is asked for (timeline_writer.h), copies and fills too.
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "execute/record/injection/cupti.h"
#include "execute/record/injection/record_writer.h"
#include "execute/record/injection/timeline_writer.h"

namespace cuset_injection {
namespace {

#if CUPTI_API_VERSION >= 130000
using KernelActivity = CUpti_ActivityKernel10;
#else
using KernelActivity = CUpti_ActivityKernel9;
#endif

// What copies and fills begin with is laid out alike in all their versions.
using CopyActivity = CUpti_ActivityMemcpy;
using FillActivity = CUpti_ActivityMemset;

constexpr size_t kBufferBytes = 1 << 20;
constexpr uint32_t kFlushMilliseconds = 10;

// Whether the runtime's launch on this thread reached the driver, whose callback then counted it.
thread_local bool reached_driver = false;
thread_local int runtime_depth = 0;

void CUPTIAPI give_buffer(uint8_t** buffer, size_t* size, size_t* most_records) {
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(8, kBufferBytes));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *most_records = 0;
}

void note_kernel(const KernelActivity& kernel) {
  const auto size = [](int32_t value) { return static_cast<uint32_t>(value); };
  const Shape shape{{size(kernel.gridX), size(kernel.gridY), size(kernel.gridZ)},
                    {size(kernel.blockX), size(kernel.blockY), size(kernel.blockZ)}};
  const KernelUse use{uint64_t{size(kernel.staticSharedMemory)} + size(kernel.dynamicSharedMemory),
                      size(kernel.staticSharedMemory), kernel.registersPerThread,
                      kernel.localMemoryPerThread};
  // Without times it did not end: the device failed, or the program is being shut down while it runs.
  if (kernel.end == 0) return;
  RecordWriter::get()->completed(kernel.name, shape, use, kernel.end - kernel.start);
  if (TimelineWriter* timeline = TimelineWriter::get())
    timeline->kernel({kernel.name, shape, kernel.start, kernel.end, kernel.streamId, use});
}

const char* kind_of_copy(uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "HtoD";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "DtoH";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "DtoD";
    default:
      return "other";
  }
}

void note_activity(const CUpti_Activity* record) {
  if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL || record->kind == CUPTI_ACTIVITY_KIND_KERNEL)
    return note_kernel(*reinterpret_cast<const KernelActivity*>(record));
  TimelineWriter* timeline = TimelineWriter::get();
  if (timeline == nullptr) return;
  if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
    const auto& copy = *reinterpret_cast<const CopyActivity*>(record);
    if (copy.end != 0) timeline->copy(copy.start, copy.end, kind_of_copy(copy.copyKind), copy.bytes);
  } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
    const auto& fill = *reinterpret_cast<const FillActivity*>(record);
    if (fill.end != 0) timeline->fill(fill.start, fill.end, fill.bytes);
  }
}

void CUPTIAPI take_buffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  CUpti_Activity* record = nullptr;
  while (valid > 0 && find_cupti()->next_record(buffer, valid, &record) == CUPTI_SUCCESS) {
    note_activity(record);
  }
  if (TimelineWriter* timeline = TimelineWriter::get()) timeline->flush();
  std::free(buffer);
}

// A function of the driver, which is loaded already; null where it has none of that name.
template <typename Function>
Function driver_function(const char* name) {
  void* driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return driver == nullptr ? nullptr : reinterpret_cast<Function>(::dlsym(driver, name));
}

// A captured launch only becomes a node of a graph.
bool is_capturing(CUstream stream) {
  static const auto query = driver_function<decltype(&cuStreamIsCapturing)>("cuStreamIsCapturing");
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return query != nullptr && query(stream, &status) == CUDA_SUCCESS &&
         status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

// The arguments of a launch in the order of the call, as CUPTI hands them over. Those of a cooperative launch
// begin alike.
struct DriverLaunch {
  CUfunction kernel;
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t shared_bytes;
  CUstream stream;
};
struct DriverLaunchEx {
  const CUlaunchConfig* config;
};
struct RuntimeLaunch {
  const void* kernel;
  dim3 grid;
  dim3 block;
};
struct RuntimeLaunchEx {
  const cudaLaunchConfig_t* config;
};

struct Launch {
  Shape shape;
  uint64_t shared_bytes;
  CUstream stream;
};

Launch driver_launch(CUpti_CallbackId id, const void* parameters) {
  if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx || id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz) {
    const CUlaunchConfig& c = *static_cast<const DriverLaunchEx*>(parameters)->config;
    return {{{c.gridDimX, c.gridDimY, c.gridDimZ}, {c.blockDimX, c.blockDimY, c.blockDimZ}},
            c.sharedMemBytes,
            c.hStream};
  }
  const auto& p = *static_cast<const DriverLaunch*>(parameters);
  return {
      {{p.grid[0], p.grid[1], p.grid[2]}, {p.block[0], p.block[1], p.block[2]}}, p.shared_bytes, p.stream};
}

Shape runtime_shape(const CUpti_CallbackData& call) {
  const auto* launch = static_cast<const RuntimeLaunch*>(call.functionParams);
  const auto* config = static_cast<const RuntimeLaunchEx*>(call.functionParams)->config;
  const bool extended = std::strstr(call.functionName, "ExC") != nullptr;
  if (extended && config == nullptr) return {};
  const dim3& grid = extended ? config->gridDim : launch->grid;
  const dim3& block = extended ? config->blockDim : launch->block;
  return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}};
}

bool is_kernel_launch(const char* function) {
  const bool one_device = std::strstr(function, "MultiDevice") == nullptr;
  return one_device && (std::strstr(function, "LaunchKernel") != nullptr ||
                        std::strstr(function, "LaunchCooperativeKernel") != nullptr);
}

bool asks_for_error(const char* function) {
  return std::strcmp(function, "cudaGetLastError") == 0 || std::strcmp(function, "cudaPeekAtLastError") == 0;
}

// Calls whose success means that the device is done with what was launched before.
bool waits_for_device(const char* function) {
  return std::strstr(function, "Synchronize") != nullptr || std::strcmp(function, "cudaMemcpy") == 0 ||
         std::strcmp(function, "cudaMemcpy_ptds") == 0 || std::strcmp(function, "cudaDeviceReset") == 0;
}

// Soon enough that a killed program's times are there, rarely enough not to be felt.
void flush_sometimes() {
  using Clock = std::chrono::steady_clock;
  static std::atomic<Clock::rep> next{0};
  const Clock::rep now = Clock::now().time_since_epoch().count();
  Clock::rep due = next.load();
  const Clock::rep later = now + Clock::duration(std::chrono::milliseconds(kFlushMilliseconds)).count();
  if (now >= due && next.compare_exchange_strong(due, later)) find_cupti()->flush(0);
}

void on_driver_launch(CUpti_CallbackId id, const CUpti_CallbackData& call) {
  reached_driver = true;
  const Launch launch = driver_launch(id, call.functionParams);
  const auto result = *static_cast<const CUresult*>(call.functionReturnValue);
  RecordWriter& writer = *RecordWriter::get();
  if (result != CUDA_SUCCESS) {
    writer.refused(call.symbolName, launch.shape);
    if (runtime_depth == 0) writer.result(result);
  } else if (!is_capturing(launch.stream)) {
    writer.launched(call.symbolName, launch.shape, launch.shared_bytes);
    TimelineWriter* timeline = TimelineWriter::get();
    if (timeline != nullptr && call.symbolName != nullptr) timeline->launch(call.symbolName);
  }
}

// Cache that is set aside for data of the program's choice keeps it over everything that empties the cache.
void on_limit(const CUpti_CallbackData& call) {
  struct Arguments {
    CUlimit limit;
    size_t value;
  };
  const auto& arguments = *static_cast<const Arguments*>(call.functionParams);
  TimelineWriter* timeline = TimelineWriter::get();
  if (timeline != nullptr && arguments.limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE && arguments.value > 0)
    timeline->note("persisting_l2");
}

void on_driver_call(CUpti_CallbackId id, const CUpti_CallbackData& call) {
  if (call.callbackSite != CUPTI_API_EXIT) return;
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      on_driver_launch(id, call);
      return;
    case CUPTI_DRIVER_TRACE_CBID_cuCtxSetLimit:
      on_limit(call);
      break;
    default:
      break;
  }
  // The runtime tries calls that may fail; what it makes of them is its own result.
  if (runtime_depth > 0 || call.functionReturnValue == nullptr) return;
  const auto result = *static_cast<const CUresult*>(call.functionReturnValue);
  RecordWriter::get()->result(result);
  if (result == CUDA_SUCCESS && id != CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2)
    RecordWriter::get()->all_is_well();
}

// The few calls that answer something else: a text, a description.
bool answers_an_error(const char* name) {
  return std::strncmp(name, "cudaGetErrorName", 16) != 0 &&
         std::strncmp(name, "cudaGetErrorString", 18) != 0 &&
         std::strncmp(name, "cudaCreateChannelDesc", 21) != 0;
}

void on_runtime_call(const CUpti_CallbackData& call) {
  RecordWriter& writer = *RecordWriter::get();
  const bool launch = is_kernel_launch(call.functionName);
  if (call.callbackSite == CUPTI_API_ENTER) {
    ++runtime_depth;
    if (launch) reached_driver = false;
    // Nothing can be asked of a context once it is gone.
    if (std::strcmp(call.functionName, "cudaDeviceReset") == 0) find_cupti()->flush(0);
    return;
  }
  if (runtime_depth > 0) --runtime_depth;
  if (call.functionReturnValue == nullptr || !answers_an_error(call.functionName)) return;
  const auto result = *static_cast<const cudaError_t*>(call.functionReturnValue);
  if (launch && result != cudaSuccess && !reached_driver)
    writer.refused(call.symbolName, runtime_shape(call));
  writer.result(result);
  if (result != cudaSuccess && asks_for_error(call.functionName)) writer.error_seen();
  if (!launch && waits_for_device(call.functionName)) {
    if (result == cudaSuccess) writer.all_is_well();
    flush_sometimes();
  }
}

void CUPTIAPI on_call(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API) on_driver_call(id, call);
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) on_runtime_call(call);
}

// What the program launched and never waited for still counts, and so does how it ended.
void finish() {
  if (::getpid() != RecordWriter::get()->process()) return;  // a child of the program, without a device
  const auto wait = driver_function<decltype(&cuCtxSynchronize)>("cuCtxSynchronize");
  const auto current = driver_function<decltype(&cuCtxGetCurrent)>("cuCtxGetCurrent");
  CUcontext context = nullptr;
  if (wait != nullptr && current != nullptr && current(&context) == CUDA_SUCCESS && context != nullptr) {
    RecordWriter::get()->result(wait());
  }
  find_cupti()->flush(1);
  RecordWriter::get()->finish();
}

bool enable_callbacks(const Cupti& cupti, CUpti_SubscriberHandle subscriber) {
  static constexpr CUpti_CallbackId kDriverCalls[] = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                                      CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                                      CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                                      CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                                      CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                                      CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
                                                      CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize,
                                                      CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize,
                                                      CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2,
                                                      CUPTI_DRIVER_TRACE_CBID_cuCtxSetLimit,
                                                      CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2};
  bool enabled = cupti.enable_domain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API) == CUPTI_SUCCESS;
  for (const CUpti_CallbackId id : kDriverCalls) {
    enabled &= cupti.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id) == CUPTI_SUCCESS;
  }
  return enabled;
}

bool enable_timeline(const Cupti& cupti) {
  return TimelineWriter::get() == nullptr ||
         (cupti.enable_activity(CUPTI_ACTIVITY_KIND_MEMCPY) == CUPTI_SUCCESS &&
          cupti.enable_activity(CUPTI_ACTIVITY_KIND_MEMSET) == CUPTI_SUCCESS);
}

}  // namespace
}  // namespace cuset_injection

// Called by the driver, whose own initialization continues whatever this returns.
extern "C" __attribute__((visibility("default"))) int InitializeInjection(void) {
  using namespace cuset_injection;
  if (RecordWriter::get() == nullptr) return 1;
  // The driver calls this once; a program that ended the recording might call it again.
  static std::atomic<bool> called{false};
  if (called.exchange(true)) {
    if (TimelineWriter* timeline = TimelineWriter::get()) timeline->note("restarted");
    return 1;
  }
  const Cupti* cupti = find_cupti();
  if (cupti == nullptr) {
    RecordWriter::get()->note("unrecorded",
                              "CUPTI could not be loaded, or is not the one this was built for");
    return 1;
  }
  CUpti_SubscriberHandle subscriber = nullptr;
  const bool attached = cupti->subscribe(&subscriber, on_call, nullptr) == CUPTI_SUCCESS &&
                        enable_callbacks(*cupti, subscriber) &&
                        cupti->register_activity(give_buffer, take_buffer) == CUPTI_SUCCESS &&
                        cupti->enable_activity(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS &&
                        enable_timeline(*cupti);
  if (!attached) {
    RecordWriter::get()->note("unrecorded", "CUPTI refused to record kernels");
    return 1;
  }
  std::atexit(finish);
  return 1;
}
