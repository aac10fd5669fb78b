// libcuset_cuda_interpose.so: for machines without CUPTI. Named by LD_PRELOAD, it stands before the shared
// CUDA runtime and sees the launches, the waits and the allocations of a program linked with --cudart=shared.
// It sees neither launches out of graphs nor those made through the driver by a pointer asked for at run
// time.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>

#include "execute/record/injection/launch_timer.h"
#include "execute/record/injection/record_writer.h"

namespace cuset_injection {
namespace {

// One launch function of the runtime may call another: only the outermost counts.
thread_local int depth = 0;

struct Inside {
  Inside() { ++depth; }
  ~Inside() { --depth; }
};

// The mangled names of kernels by what launches name them with.
class KernelNames {
 public:
  void add(const void* kernel, const std::string& name) {
    const std::lock_guard guard(mutex_);
    names_[kernel] = name;
  }
  std::string find(const void* kernel) {
    const std::lock_guard guard(mutex_);
    const auto found = names_.find(kernel);
    return found == names_.end() ? "?" : found->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const void*, std::string> names_;
};

KernelNames& kernel_names() {
  static KernelNames* const names = new KernelNames;  // kernels are launched from destructors too
  return *names;
}

struct Launch {
  const void* kernel;
  Shape shape;
  uint64_t shared_bytes;
  cudaStream_t stream;
};

Shape shape_of(dim3 grid, dim3 block) { return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}}; }

// At the program's end: what was launched and never waited for still counts.
void finish() {
  if (::getpid() != RecordWriter::get()->process()) return;  // a child of the program, without a device
  const Inside quiet;
  const auto wait =
      reinterpret_cast<decltype(&cudaDeviceSynchronize)>(hidden_function("cudaDeviceSynchronize"));
  if (wait != nullptr) RecordWriter::get()->result(wait());
  LaunchTimer::get().harvest(false);
  RecordWriter::get()->finish();
}

void finish_at_exit() {
  static const int registered = std::atexit(finish);
  (void)registered;
}

// Starts `launch` by calling `start` and records how that went.
template <typename Start>
auto record_launch(const Launch& launch, const Start& start) {
  RecordWriter* writer = RecordWriter::get();
  if (writer == nullptr || depth > 0) return start();
  const Inside inside;
  finish_at_exit();
  const std::string name = kernel_names().find(launch.kernel);
  LaunchTimer& timer = LaunchTimer::get();
  const bool captured = timer.is_capturing(launch.stream);
  cudaEvent_t before = captured ? nullptr : timer.mark(launch.stream);
  const auto result = start();
  if (static_cast<int>(result) != 0) {
    writer->refused(name.c_str(), launch.shape);
    writer->result(static_cast<int>(result));
  } else if (!captured) {
    writer->launched(name.c_str(), launch.shape, launch.shared_bytes);
    if (before != nullptr)
      timer.launched(before, launch.stream, name.c_str(), launch.shape, launch.shared_bytes);
  }
  return result;
}

// Calls the hidden function `name` and records its result; `waits`: its success means that the device is
// done.
template <typename Function, typename... Arguments>
cudaError_t record_call(Function* function, bool waits, Arguments... arguments) {
  if (function == nullptr) return cudaErrorUnknown;
  RecordWriter* writer = RecordWriter::get();
  if (writer == nullptr || depth > 0) return function(arguments...);
  const Inside inside;
  const cudaError_t result = function(arguments...);
  writer->result(result);
  if (waits && result == cudaSuccess) writer->all_is_well();
  if (waits) LaunchTimer::get().harvest(false);
  return result;
}

}  // namespace
}  // namespace cuset_injection

using namespace cuset_injection;

#define CUSET_EXPORT extern "C" __attribute__((visibility("default")))
#define CUSET_HIDDEN(function) reinterpret_cast<decltype(&::function)>(hidden_function(#function))

// What compiled code calls at a program's start and before a launch; no header for C++ declares them.
// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's.
CUSET_EXPORT void __cudaRegisterFunction(void** module, const char* host, char* device, const char* name,
                                         int limit, uint3* thread, uint3* block, dim3* block_size,
                                         dim3* grid_size, int* warp) {
  static const auto next = CUSET_HIDDEN(__cudaRegisterFunction);
  kernel_names().add(host, name);
  if (next != nullptr) next(module, host, device, name, limit, thread, block, block_size, grid_size, warp);
}

CUSET_EXPORT cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  static const auto next = CUSET_HIDDEN(__cudaGetKernel);
  const cudaError_t result = next == nullptr ? cudaErrorUnknown : next(kernel, host);
  if (result == cudaSuccess) kernel_names().add(*kernel, kernel_names().find(host));
  return result;
}

// The launch functions of one parameter list; the suffix _ptsz marks those of per-thread default streams.
#define CUSET_LAUNCH(function, Kernel)                                                                     \
  CUSET_EXPORT cudaError_t function(Kernel kernel, dim3 grid, dim3 block, void** arguments, size_t shared, \
                                    cudaStream_t stream) {                                                 \
    using Next = cudaError_t (*)(Kernel, dim3, dim3, void**, size_t, cudaStream_t);                        \
    static const auto next = reinterpret_cast<Next>(hidden_function(#function));                           \
    if (next == nullptr) return cudaErrorUnknown;                                                          \
    return record_launch({kernel, shape_of(grid, block), shared, stream},                                  \
                         [&] { return next(kernel, grid, block, arguments, shared, stream); });            \
  }
CUSET_LAUNCH(__cudaLaunchKernel, cudaKernel_t)
CUSET_LAUNCH(__cudaLaunchKernel_ptsz, cudaKernel_t)
CUSET_LAUNCH(cudaLaunchKernel, const void*)
CUSET_LAUNCH(cudaLaunchKernel_ptsz, const void*)
// NOLINTEND(bugprone-reserved-identifier)
CUSET_LAUNCH(cudaLaunchCooperativeKernel, const void*)
CUSET_LAUNCH(cudaLaunchCooperativeKernel_ptsz, const void*)

#define CUSET_LAUNCH_EX(function)                                                                          \
  CUSET_EXPORT cudaError_t function(const cudaLaunchConfig_t* config, const void* kernel,                  \
                                    void** arguments) {                                                    \
    static const auto next = reinterpret_cast<decltype(&cudaLaunchKernelExC)>(hidden_function(#function)); \
    if (next == nullptr) return cudaErrorUnknown;                                                          \
    if (config == nullptr) return next(config, kernel, arguments);                                         \
    return record_launch(                                                                                  \
        {kernel, shape_of(config->gridDim, config->blockDim), config->dynamicSmemBytes, config->stream},   \
        [&] { return next(config, kernel, arguments); });                                                  \
  }
CUSET_LAUNCH_EX(cudaLaunchKernelExC)
CUSET_LAUNCH_EX(cudaLaunchKernelExC_ptsz)

namespace {

void learn_name(CUfunction function) {
  using GetName = CUresult (*)(const char**, CUfunction);
  static const auto get_name = reinterpret_cast<GetName>(hidden_function("cuFuncGetName"));
  const char* name = nullptr;
  if (get_name != nullptr && get_name(&name, function) == CUDA_SUCCESS) kernel_names().add(function, name);
}

}  // namespace

CUSET_EXPORT CUresult cuLaunchKernel(CUfunction kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                     CUstream stream, void** arguments, void** extra) {
  static const auto next = CUSET_HIDDEN(cuLaunchKernel);
  if (next == nullptr) return CUDA_ERROR_NOT_INITIALIZED;
  learn_name(kernel);
  return record_launch({kernel, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}}, shared, stream},
                       [&] {
                         return next(kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared,
                                     stream, arguments, extra);
                       });
}

CUSET_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction kernel, void** arguments,
                                       void** extra) {
  static const auto next = CUSET_HIDDEN(cuLaunchKernelEx);
  if (next == nullptr) return CUDA_ERROR_NOT_INITIALIZED;
  if (config == nullptr) return next(config, kernel, arguments, extra);
  learn_name(kernel);
  const Shape shape{{config->gridDimX, config->gridDimY, config->gridDimZ},
                    {config->blockDimX, config->blockDimY, config->blockDimZ}};
  return record_launch({kernel, shape, config->sharedMemBytes, config->hStream},
                       [&] { return next(config, kernel, arguments, extra); });
}

#define CUSET_CALL(function, waits, parameters, ...)            \
  CUSET_EXPORT cudaError_t function parameters {                \
    static const auto next = CUSET_HIDDEN(function);            \
    return record_call(next, waits __VA_OPT__(, ) __VA_ARGS__); \
  }
CUSET_CALL(cudaDeviceSynchronize, true, (void))
CUSET_CALL(cudaStreamSynchronize, true, (cudaStream_t stream), stream)
CUSET_CALL(cudaEventSynchronize, true, (cudaEvent_t event), event)
CUSET_CALL(cudaMemcpy, true, (void* to, const void* from, size_t size, cudaMemcpyKind kind), to, from, size,
           kind)
CUSET_CALL(cudaMalloc, false, (void** memory, size_t size), memory, size)
CUSET_CALL(cudaMallocManaged, false, (void** memory, size_t size, unsigned flags), memory, size, flags)
CUSET_CALL(cudaFree, false, (void* memory), memory)

#define CUSET_ASK(function)                                                             \
  CUSET_EXPORT cudaError_t function(void) {                                             \
    static const auto next = CUSET_HIDDEN(function);                                    \
    const cudaError_t result = record_call(next, false);                                \
    RecordWriter* writer = RecordWriter::get();                                         \
    if (writer != nullptr && result != cudaSuccess && depth == 0) writer->error_seen(); \
    return result;                                                                      \
  }
CUSET_ASK(cudaGetLastError)
CUSET_ASK(cudaPeekAtLastError)
