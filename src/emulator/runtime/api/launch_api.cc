// The entry points that launch kernels: the one clang's host code uses (cudaConfigureCall, cudaSetupArgument
// for each argument, cudaLaunch), and those of the documentation.
#include <memory>
#include <utility>
#include <vector>

#include "cuset_emulator/host_api.h"
#include "runtime/api/kernel_call.h"
#include "runtime/api/stream_work.h"
#include "runtime/launch/recorder.h"

namespace cuset_emulator {
namespace {

// Launches whose arguments are being evaluated or set, innermost last: an argument of a launch may launch by
// itself.
std::vector<KernelCall>& open_calls() {
  thread_local std::vector<KernelCall> calls;
  return calls;
}

// A launch that is captured or left for later may run when the stream is gone.
cudaError_t launch(KernelCall call) {
  cudaStream_t stream = call.stream;
  const auto work = std::make_shared<KernelCall>(std::move(call));
  if (is_capturing(stream)) work->stream = nullptr;
  const auto check = [work] {
    const cudaError_t error = check_call(*work);
    work->stream = nullptr;
    return error;
  };
  return enqueue(stream, check, [work] { return run_call(*work); }, {cudaGraphNodeTypeKernel, {}, work});
}

cudaError_t launch_with_pointers(KernelCall call, void** arguments) {
  if (cudaError_t error = add_arguments(call, arguments); error != cudaSuccess) return remember(error);
  return launch(std::move(call));
}

cudaError_t apply(const cudaLaunchAttribute& attribute, KernelCall& call) {
  switch (attribute.id) {
    case cudaLaunchAttributeCooperative:
      call.cooperative = attribute.val.cooperative != 0;
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension: {
      const auto& cluster = attribute.val.clusterDim;
      if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0) return cudaErrorInvalidValue;
      call.cluster = {cluster.x, cluster.y, cluster.z};
      return cudaSuccess;
    }
    default:  // hints to the hardware
      return cudaSuccess;
  }
}

}  // namespace
}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  KernelCall call;
  call.grid = grid;
  call.block = block;
  call.dynamic_shared_bytes = shared_bytes;
  call.stream = stream;
  open_calls().push_back(std::move(call));
  return cudaSuccess;
}

cudaError_t cudaSetupArgument(const void* value, size_t bytes, size_t) {
  if (open_calls().empty()) return remember(cudaErrorMissingConfiguration);
  if (!value) return remember(cudaErrorInvalidValue);
  open_calls().back().arguments.add(value, bytes);
  return cudaSuccess;
}

cudaError_t cudaLaunch(const void* host_stub) {
  if (open_calls().empty()) return remember(cudaErrorMissingConfiguration);
  KernelCall call = std::move(open_calls().back());
  open_calls().pop_back();
  call.host_stub = host_stub;
  return launch(std::move(call));
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void* stream) {
  return cudaConfigureCall(grid, block, shared_bytes, static_cast<cudaStream_t>(stream));
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  if (open_calls().empty()) return remember(cudaErrorMissingConfiguration);
  const KernelCall& call = open_calls().back();
  *grid = call.grid;
  *block = call.block;
  *shared_bytes = call.dynamic_shared_bytes;
  *static_cast<cudaStream_t*>(stream) = call.stream;
  open_calls().pop_back();
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* host_stub, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return launch_with_pointers({host_stub, grid, block, shared_bytes, stream, false, {}}, arguments);
}

// The handle of a kernel is the address of its host stub. nvcc's host code asks for it before a launch.
cudaError_t __cudaGetKernel(void** kernel, const void* host_stub) {
  *kernel = const_cast<void*>(host_stub);
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* host_stub, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  return launch_with_pointers({host_stub, grid, block, shared_bytes, stream, true, {}}, arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* host_stub, void** arguments) {
  if (!config || (config->numAttrs > 0 && !config->attrs)) return remember(cudaErrorInvalidValue);
  KernelCall call{
      host_stub, config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, false, {}};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    if (cudaError_t error = apply(config->attrs[i], call); error != cudaSuccess) return remember(error);
  }
  return launch_with_pointers(std::move(call), arguments);
}

}  // extern "C"
