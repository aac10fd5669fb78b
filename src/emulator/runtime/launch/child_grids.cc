#include "runtime/launch/child_grids.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "cuset_emulator/error_codes.h"
#include "cuset_emulator/stream_types.h"
#include "runtime/launch/device_output.h"
#include "runtime/launch/fault.h"
#include "runtime/launch/recorder.h"

namespace cuset_emulator {
namespace {

constexpr uint32_t kMostThreads = 1024;
constexpr uint32_t kBlockSides[3] = {1024, 1024, 64};
constexpr uint32_t kGridSides[3] = {0x7fffffff, 65535, 65535};
constexpr uint32_t kMostShared = 48 << 10;

struct ChildKernels {
  std::mutex mutex;
  std::unordered_map<const void*, const CusetKernel*> by_address;
};

ChildKernels& child_kernels() {
  static ChildKernels& instance = *new ChildKernels;
  return instance;
}

struct Asking {
  DeviceRequests* requests = nullptr;
  uint64_t block = 0;
};
thread_local Asking asking;
thread_local int last_error = cudaSuccess;

std::mutex& requests_mutex() {
  static std::mutex& instance = *new std::mutex;
  return instance;
}

const CusetKernel* find_child(const void* address) {
  const std::lock_guard lock(child_kernels().mutex);
  const auto found = child_kernels().by_address.find(address);
  return found == child_kernels().by_address.end() ? nullptr : found->second;
}

bool fits(const uint32_t (&sizes)[3], const uint32_t (&limits)[3]) {
  for (int i = 0; i < 3; ++i)
    if (sizes[i] == 0 || sizes[i] > limits[i]) return false;
  return true;
}

int check(const CusetKernel& kernel, const LaunchShape& shape) {
  const uint64_t threads = uint64_t{shape.block[0]} * shape.block[1] * shape.block[2];
  if (!fits(shape.block, kBlockSides) || !fits(shape.grid, kGridSides) || threads > kMostThreads)
    return cudaErrorInvalidConfiguration;
  for (int i = 0; i < 3; ++i)
    if (shape.grid[i] % shape.cluster[i] != 0) return cudaErrorInvalidConfiguration;
  if (kernel.most_threads != 0 && threads > kernel.most_threads) return cudaErrorInvalidValue;
  if (kernel.static_shared_bytes + uint64_t{shape.dynamic_shared_bytes} > kMostShared)
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

void add_argument(DeviceRequest& request, const void* value, uint32_t bytes) {
  uint64_t slot = 0;
  if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) {
    std::memcpy(&slot, value, bytes);
  } else {
    request.structs.emplace_back(bytes / sizeof(ArgumentBytes) + 1);
    std::memcpy(request.structs.back().data(), value, bytes);
    slot = reinterpret_cast<uint64_t>(request.structs.back().data());
  }
  request.slots.push_back(slot);
  request.sizes.push_back(bytes);
}

bool is_tail(const void* stream) { return stream == cudaStreamTailLaunch; }

void move_memory(const DeviceRequest& request) {
  void* to = reinterpret_cast<void*>(request.to);
  if (request.from != 0) {
    std::memmove(to, reinterpret_cast<const void*>(request.from), request.bytes);
  } else {
    std::memset(to, request.value, request.bytes);
  }
}

// A wrong address is the launch's failure, as in a kernel.
LaunchEnd run_move(const DeviceRequest& request) {
  const auto move = [](void* argument) { move_memory(*static_cast<const DeviceRequest*>(argument)); };
  const Fault fault = guarded(move, const_cast<DeviceRequest*>(&request));
  return {fault.error, fault.explanation, 0};
}

int ask(DeviceRequest request) {
  if (asking.requests == nullptr) return last_error = cudaErrorNotSupported;
  request.block = asking.block;
  asking.requests->add(std::move(request));
  return cudaSuccess;
}

}  // namespace

void register_child_kernels(const CusetModule& module) {
  const std::lock_guard lock(child_kernels().mutex);
  for (uint32_t i = 0; i < module.kernel_count; ++i)
    if (module.kernels[i].function != nullptr)
      child_kernels().by_address[module.kernels[i].function] = &module.kernels[i];
}

void DeviceRequests::add(DeviceRequest request) {
  const std::lock_guard lock(requests_mutex());
  requests_.push_back(std::move(request));
}

std::vector<DeviceRequest> DeviceRequests::take() {
  std::stable_sort(requests_.begin(), requests_.end(),
                   [](const DeviceRequest& a, const DeviceRequest& b) { return a.block < b.block; });
  // Those for the tail are behind all others.
  std::stable_partition(requests_.begin(), requests_.end(),
                        [](const DeviceRequest& request) { return !request.is_tail; });
  return std::exchange(requests_, {});
}

void set_device_requests(DeviceRequests* requests, uint64_t block) { asking = {requests, block}; }

LaunchEnd run_device_requests(std::vector<DeviceRequest> requests,
                              LaunchEnd (*run_grid)(const DeviceRequest& request, DeviceRequests& asked)) {
  std::reverse(requests.begin(), requests.end());  // a stack: what is next is at its end
  end_of_launch_output();
  while (!requests.empty()) {
    const DeviceRequest next = std::move(requests.back());
    requests.pop_back();
    DeviceRequests asked;
    LaunchEnd end = next.kernel != nullptr ? run_grid(next, asked) : run_move(next);
    end_of_launch_output();
    if (next.kernel != nullptr) record_launch(*next.kernel, next.shape, end);
    if (end.error != 0) return end;
    std::vector<DeviceRequest> more = asked.take();
    std::move(more.rbegin(), more.rend(), std::back_inserter(requests));
  }
  return {};
}

}  // namespace cuset_emulator

using namespace cuset_emulator;

extern "C" {

int cuset_launch_child(const void* address, const uint32_t* shape, const void* stream, uint32_t count,
                       const void* const* values, const uint32_t* sizes) {
  DeviceRequest request;
  request.kernel = find_child(address);
  if (request.kernel == nullptr || request.kernel->parameter_count != count)
    return last_error = cudaErrorInvalidDeviceFunction;
  std::copy(shape, shape + 3, request.shape.grid);
  std::copy(shape + 3, shape + 6, request.shape.block);
  request.shape.dynamic_shared_bytes = shape[6];
  if (request.kernel->cluster_dim[0] != 0) std::copy_n(request.kernel->cluster_dim, 3, request.shape.cluster);
  if (const int error = check(*request.kernel, request.shape); error != cudaSuccess)
    return last_error = error;
  for (uint32_t i = 0; i < count; ++i) add_argument(request, values[i], sizes[i]);
  request.is_tail = is_tail(stream);
  return ask(std::move(request));
}

int cuset_move_in_device(void* to, const void* from, int value, uint64_t bytes, const void* stream) {
  if (bytes == 0) return cudaSuccess;
  DeviceRequest request;
  request.to = reinterpret_cast<uint64_t>(to);
  request.from = reinterpret_cast<uint64_t>(from);
  request.value = value;
  request.bytes = bytes;
  request.is_tail = is_tail(stream);
  return ask(std::move(request));
}

// Of the thread that runs here; errors of calls in device code are told to nobody else.
int cuset_last_device_error(int forget) {
  return forget != 0 ? std::exchange(last_error, static_cast<int>(cudaSuccess)) : last_error;
}

}  // extern "C"
