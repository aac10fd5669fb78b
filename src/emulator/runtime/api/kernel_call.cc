#include "runtime/api/kernel_call.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/kernel_name.h"
#include "runtime/api/device_limits.h"
#include "runtime/api/error_state.h"
#include "runtime/api/registry.h"
#include "runtime/api/streams.h"
#include "runtime/launch/device_output.h"
#include "runtime/launch/recorder.h"
#include "runtime/launch/schedule.h"
#include "runtime/memory/device_gate.h"
#include "runtime/memory/host_memory.h"
#include "runtime/memory/memory.h"
#include "runtime/remote/device_traits.h"
#include "runtime/remote/remote_device.h"

namespace cuset_emulator {
namespace {

constexpr size_t kStructAlignment = 64;

bool is_slot_size(size_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

bool within(const dim3& dimensions, const uint32_t (&limits)[3]) {
  const uint32_t sizes[3] = {dimensions.x, dimensions.y, dimensions.z};
  for (int i = 0; i < 3; ++i) {
    if (sizes[i] == 0 || sizes[i] > limits[i]) return false;
  }
  return true;
}

uint64_t volume(const dim3& dimensions) { return uint64_t{dimensions.x} * dimensions.y * dimensions.z; }

cudaError_t check_shared_memory(const KernelCall& call, const KernelFunction& function) {
  uint64_t limit = std::max<uint64_t>(
      kSharedPerBlock, uint64_t{function.dynamic_shared_limit} + function.kernel->static_shared_bytes);
  if (call.dynamic_shared_bytes > limit ||
      function.kernel->static_shared_bytes + call.dynamic_shared_bytes > limit) {
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t check_call(const KernelCall& call, const KernelFunction& function) {
  if (!within(call.grid, kGridLimits) || !within(call.block, kBlockLimits))
    return cudaErrorInvalidConfiguration;
  if (volume(call.block) > kThreadsPerBlock) return cudaErrorInvalidConfiguration;
  const uint32_t bound = function.kernel->most_threads;
  if (bound != 0 && volume(call.block) > bound) return cudaErrorInvalidValue;
  if (cudaError_t error = check_shared_memory(call, function); error != cudaSuccess) return error;
  if (cudaError_t error = check_cluster(function, call.cluster, call.grid); error != cudaSuccess)
    return error;
  if (!is_stream(call.stream)) return cudaErrorInvalidResourceHandle;
  if (call.cooperative) {
    uint64_t shared = function.kernel->static_shared_bytes + call.dynamic_shared_bytes;
    uint64_t resident =
        static_cast<uint64_t>(device_traits().multiprocessors) * resident_blocks(volume(call.block), shared);
    if (volume(call.grid) > resident) return cudaErrorCooperativeLaunchTooLarge;
  }
  if (call.arguments.slots().size() != function.kernel->parameter_count)
    return cudaErrorInvalidDeviceFunction;
  return cudaSuccess;
}

// The first argument that points into the host's own memory, which a GPU could not read; -1 if there is none.
int host_memory_argument(const CusetKernel& kernel, const KernelArguments& arguments) {
  for (uint32_t i = 0; i < kernel.parameter_count; ++i) {
    if (!kernel.parameter_is_pointer || !kernel.parameter_is_pointer[i] || arguments.sizes()[i] != 8)
      continue;
    uint64_t address = arguments.slots()[i];
    // The byte before counts too: programs pass the end of a range beside its begin.
    bool owned = is_reserved(address) || find_allocation(address) || find_allocation(address - 1);
    if (address != 0 && !owned && is_host_data(address)) return static_cast<int>(i);
  }
  return -1;
}

LaunchEnd end_at_host_memory(const CusetKernel& kernel, int argument) {
  const std::string text = "argument " + std::to_string(argument + 1) + " of " +
                           cuset::base::kernel_name(kernel.name) + " is host memory";
  record_finding({.kind = "host_pointer", .kernel = kernel.name, .site = &kernel.site, .text = text});
  return {cudaErrorIllegalAddress, "", 0};
}

LaunchShape shape_of(const KernelCall& call, const KernelFunction& function) {
  LaunchShape shape{{call.grid.x, call.grid.y, call.grid.z}, {call.block.x, call.block.y, call.block.z}};
  shape.dynamic_shared_bytes = static_cast<uint32_t>(call.dynamic_shared_bytes);
  shape.cooperative = call.cooperative;
  const dim3 cluster = cluster_of(function, call.cluster);
  const uint32_t sizes[] = {cluster.x, cluster.y, cluster.z};
  std::copy_n(sizes, 3, shape.cluster);
  return shape;
}

// Blocks of this shape that the device holds at a time.
uint64_t blocks_on_device(const CusetKernel& kernel, const LaunchShape& shape) {
  const uint64_t threads = uint64_t{shape.block[0]} * shape.block[1] * shape.block[2];
  const uint64_t shared = uint64_t{kernel.static_shared_bytes} + shape.dynamic_shared_bytes;
  return static_cast<uint64_t>(device_traits().multiprocessors) *
         static_cast<uint64_t>(resident_blocks(threads, shared));
}

LaunchEnd run_on_device(const CusetKernel& kernel, const LaunchShape& shape,
                        const KernelArguments& arguments) {
  if (int argument = host_memory_argument(kernel, arguments); argument >= 0) {
    return end_at_host_memory(kernel, argument);
  }
  if (RemoteDevice* remote = remote_device()) {
    share_managed_variables(*remote);
    const bool has_cluster = shape.cluster[0] * shape.cluster[1] * shape.cluster[2] > 1;
    if (has_gpu_code() && has_cluster) end_as_unsupported("thread block clusters given at launch");
    return remote->launch(kernel, shape, arguments.slots().data(), arguments.sizes().data());
  }
  if (kernels_are_off()) return {};
  if (threads_go_backward()) Schedule::of_program().take_order(1);
  open_device_memory();
  LaunchShape limited = shape;
  limited.most_resident = blocks_on_device(kernel, shape);
  LaunchEnd end = run_kernel(kernel, limited, arguments.slots().data(), arguments.sizes().data());
  device_gate().close_after_launch();
  end_of_launch_output();
  return end;
}

}  // namespace

void KernelArguments::Freed::operator()(void* memory) const { std::free(memory); }

void KernelArguments::add(const void* value, size_t bytes) {
  uint64_t slot = 0;
  if (is_slot_size(bytes)) {
    std::memcpy(&slot, value, bytes);
  } else {
    void* copy = std::aligned_alloc(kStructAlignment,
                                    (bytes + kStructAlignment) / kStructAlignment * kStructAlignment);
    if (!copy) throw std::bad_alloc();
    std::memcpy(copy, value, bytes);
    structs_.emplace_back(copy);
    slot = reinterpret_cast<uint64_t>(copy);
  }
  slots_.push_back(slot);
  sizes_.push_back(static_cast<uint32_t>(bytes));
}

void** KernelArguments::pointers() const {
  pointers_.clear();
  for (size_t i = 0; i < slots_.size(); ++i) {
    const void* bytes = is_slot_size(sizes_[i]) ? static_cast<const void*>(&slots_[i])
                                                : reinterpret_cast<const void*>(slots_[i]);
    pointers_.push_back(const_cast<void*>(bytes));
  }
  return pointers_.data();
}

dim3 cluster_of(const KernelFunction& function, const dim3& given) {
  if (given.x != 0) return given;
  for (const uint32_t* sizes : {function.required_cluster, function.kernel->cluster_dim})
    if (sizes[0] != 0) return {sizes[0], sizes[1], sizes[2]};
  return {1, 1, 1};
}

cudaError_t check_cluster(const KernelFunction& function, const dim3& given, const dim3& grid) {
  const dim3 cluster = cluster_of(function, given);
  const uint64_t blocks = volume(cluster);
  if (blocks == 0 || cluster.y == 0 || cluster.z == 0) return cudaErrorInvalidClusterSize;
  const uint32_t* compiled = function.kernel->cluster_dim;
  if (compiled[0] != 0 && (cluster.x != compiled[0] || cluster.y != compiled[1] || cluster.z != compiled[2]))
    return cudaErrorInvalidClusterSize;
  if (blocks == 1) return cudaSuccess;
  const uint64_t most = function.non_portable_cluster ? kClusterBlocks : kPortableClusterBlocks;
  if (device_traits().compute_major < 9 || blocks > most) return cudaErrorInvalidClusterSize;
  const bool divides = grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0;
  return divides ? cudaSuccess : cudaErrorInvalidConfiguration;
}

int resident_blocks(uint64_t threads, uint64_t shared_bytes) {
  if (threads == 0 || threads > kThreadsPerBlock ||
      shared_bytes > device_traits().shared_per_block_on_request)
    return 0;
  uint64_t warps = (threads + kWarpSize - 1) / kWarpSize;
  uint64_t blocks =
      std::min<uint64_t>(kBlocksPerMultiprocessor, kThreadsPerMultiprocessor / kWarpSize / warps);
  return static_cast<int>(
      std::min(blocks, device_traits().shared_per_multiprocessor / (shared_bytes + kReservedSharedPerBlock)));
}

cudaError_t add_arguments(KernelCall& call, void** values) {
  std::optional<KernelFunction> function = find_kernel(call.host_stub);
  if (!function) return cudaErrorInvalidDeviceFunction;
  const std::vector<uint32_t>& sizes = function->argument_sizes;
  if (sizes.size() != function->kernel->parameter_count) return cudaErrorInvalidDeviceFunction;
  if (!values && !sizes.empty()) return cudaErrorInvalidValue;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!values[i]) return cudaErrorInvalidValue;
    call.arguments.add(values[i], sizes[i]);
  }
  return cudaSuccess;
}

cudaError_t check_call(const KernelCall& call) {
  std::optional<KernelFunction> function = find_kernel(call.host_stub);
  if (!function) return cudaErrorInvalidDeviceFunction;
  const cudaError_t error = check_call(call, *function);
  if (error != cudaSuccess) record_launch(*function->kernel, shape_of(call, *function), {error, "", 0});
  return error;
}

cudaError_t run_call(const KernelCall& call) {
  if (cudaError_t error = check_call(call); error != cudaSuccess) return error;
  std::optional<KernelFunction> function = find_kernel(call.host_stub);
  flush_device_output();  // a launch prints what the one before it left
  LaunchEnd end = run_on_device(*function->kernel, shape_of(call, *function), call.arguments);
  record_launch(*function->kernel, shape_of(call, *function), end);
  if (end.error != 0) set_fault(static_cast<cudaError_t>(end.error));
  if (!end.explanation.empty()) {
    const CusetKernel& kernel = *function->kernel;
    Finding note{.kind = "note", .kernel = kernel.name, .site = &kernel.site, .text = end.explanation};
    std::copy_n(end.block, 3, note.block);
    std::copy_n(end.thread, 3, note.thread);
    record_finding(note);
  }
  return cudaSuccess;
}

}  // namespace cuset_emulator
