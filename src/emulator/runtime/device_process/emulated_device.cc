// A program's device that is the emulator in this process, with the program's device code linked into it.
#include <cstring>

#include "runtime/api/copy.h"
#include "runtime/api/device_limits.h"
#include "runtime/api/kernel_call.h"
#include "runtime/api/registry.h"
#include "runtime/device_process/device_process.h"
#include "runtime/launch/device_output.h"
#include "runtime/launch/recorder.h"
#include "runtime/memory/memory.h"
#include "runtime/remote/channel.h"

namespace cuset_emulator {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw ChannelBroken(what);
}

void check_shape(const CusetKernel& kernel, const LaunchShape& shape) {
  uint64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    require(shape.grid[i] >= 1 && shape.grid[i] <= kGridLimits[i], "a grid that no device takes");
    require(shape.block[i] >= 1 && shape.block[i] <= kBlockLimits[i], "a block that no device takes");
    threads *= shape.block[i];
  }
  require(threads <= kThreadsPerBlock, "a block that no device takes");
  require(uint64_t{kernel.static_shared_bytes} + shape.dynamic_shared_bytes <=
              device_traits().shared_per_block_on_request,
          "more shared memory than a device has");
  uint64_t cluster = 1;
  for (int i = 0; i < 3; ++i) {
    require(
        shape.cluster[i] >= 1 && shape.cluster[i] <= kClusterBlocks && shape.grid[i] % shape.cluster[i] == 0,
        "a cluster that no device takes");
    cluster *= shape.cluster[i];
  }
  require(cluster <= kClusterBlocks, "a cluster that no device takes");
}

class EmulatedDevice : public Device {
 public:
  void begin(const MemoryBases& wanted) override {
    const MemoryBases own = memory_bases();
    require(wanted.device == own.device && wanted.shared == own.shared, "the arenas lie elsewhere");
    keep_heap_apart();
    open_device_memory();  // nobody else is here
  }

  DeviceTraits traits() override { return device_traits(); }

  std::vector<RemoteVariable> variables() override {
    std::vector<RemoteVariable> all;
    for (const CusetVariable* variable : all_variables())
      all.push_back({variable->name, reinterpret_cast<uint64_t>(variable->address), variable->bytes});
    return all;
  }

  RemoteSymbols load(const RemoteImage&) override {
    throw ChannelBroken("device code that the emulator cannot run");
  }

  void allocate(const Allocation& wanted) override {
    require(allocate_memory_at(wanted.address, wanted.bytes, wanted.kind),
            "an allocation that cannot be made here");
  }

  void release(uint64_t address) override {
    const std::optional<Allocation> found = find_allocation(address);
    require(found && free_memory(address, found->kind), "memory that nobody allocated is freed");
  }

  void write(const Surface& to, std::span<const char> packed_bytes, const Box& box) override {
    require(copy_box(to, packed(packed_bytes.data(), box), box, cudaMemcpyHostToDevice) == cudaSuccess,
            "a write outside of device memory");
  }

  void read(std::span<char> packed_bytes, const Surface& from, const Box& box) override {
    require(copy_box(packed(packed_bytes.data(), box), from, box, cudaMemcpyDeviceToHost) == cudaSuccess,
            "a read outside of device memory");
  }

  void copy(const Surface& to, const Surface& from, const Box& box) override {
    require(copy_box(to, from, box, cudaMemcpyDeviceToDevice) == cudaSuccess,
            "a copy outside of device memory");
  }

  void fill(const Surface& to, const Box& box, int value) override {
    require(fill_box(to, box, value) == cudaSuccess, "a fill outside of device memory");
  }

  // The program's textures are in memory that both share.
  int create_texture(const CusetTexture&, uint64_t&) override { throw ChannelBroken("a texture for a GPU"); }
  void destroy_texture(uint64_t) override { throw ChannelBroken("a texture for a GPU"); }

  void look_at(uint64_t address, std::span<char> bytes) override {
    std::memcpy(bytes.data(), reinterpret_cast<const void*>(address), bytes.size());
  }

  LaunchEnd launch(const std::string& name, const LaunchShape& shape,
                   const std::vector<std::span<char>>& values) override {
    const CusetKernel* kernel = find_kernel_named(name);
    require(kernel != nullptr, "an unknown kernel");
    check_shape(*kernel, shape);
    require(values.size() == kernel->parameter_count, "a launch with other arguments");
    KernelArguments arguments;
    for (const std::span<char> value : values) arguments.add(value.data(), value.size());
    const LaunchEnd end = run_kernel(*kernel, shape, arguments.slots().data(), arguments.sizes().data());
    end_of_launch_output();
    record_launch(*kernel, shape, end);
    return end;
  }

  void reset_variables() override { cuset_emulator::reset_variables(); }
};

}  // namespace
}  // namespace cuset_emulator

// The main of the program that device code is linked into.
extern "C" int cuset_device_main(int count, char** words) {
  if (count != 2) return 2;
  cuset_emulator::EmulatedDevice device;
  return cuset_emulator::serve_program(device, words[1]);
}
