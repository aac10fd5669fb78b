// The process that is the device of a program under proof (docs/proof-of-work.md). It holds device memory and
// runs the kernels; of the program's host code there is nothing in it. What the program asks for comes
// through pipes and is checked as any untrusted input.
//
// Its working folder has `masks` (input_masks.h). It leaves there what the judge wants to know:
//   account    CusetDeviceAccount
//   downloads  what the host was given, in that order
//   requests   what the host asked for, if that is wanted
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <unordered_map>

#include "device_account.h"
#include "runtime/api/copy.h"
#include "runtime/api/device_limits.h"
#include "runtime/api/kernel_call.h"
#include "runtime/api/registry.h"
#include "runtime/device_process/input_masks.h"
#include "runtime/launch/device_output.h"
#include "runtime/launch/recorder.h"
#include "runtime/memory/memory.h"
#include "runtime/remote/channel.h"
#include "runtime/remote/remote_device.h"

namespace cuset_emulator {
namespace {

constexpr uint64_t kLargestShared = 227 << 10;

void require(bool holds, const char* what) {
  if (!holds) throw ChannelBroken(what);
}

bool exists(const char* file) { return access(file, F_OK) == 0; }

// What the host learned of the device's memory. Bytes that it was given before from the same place are not
// news, unless `all` are wanted.
class Downloads {
 public:
  explicit Downloads(bool all) : all_(all) {}

  bool wants_all() const { return all_; }

  void add(uint64_t address, std::span<const char> bytes, CusetDeviceAccount& account) {
    std::vector<char>& last = last_[address];
    if (!all_ && last.size() == bytes.size() && std::equal(bytes.begin(), bytes.end(), last.begin())) return;
    last.assign(bytes.begin(), bytes.end());
    account.downloaded_bytes += bytes.size();
    ++account.downloads;
    const uint64_t size = bytes.size();
    file_.write(reinterpret_cast<const char*>(&size), sizeof size);
    file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  void finish() { file_.close(); }

 private:
  const bool all_;
  std::ofstream file_{CUSET_DOWNLOADS_FILE, std::ios::binary};
  std::unordered_map<uint64_t, std::vector<char>> last_;
};

class DeviceProcess {
 public:
  // `folder` has the pipes; where there is a file of requests, it is replayed instead.
  explicit DeviceProcess(const std::string& folder)
      : masks_(InputMasks::read(CUSET_MASKS_FOLDER)),
        channel_(exists(CUSET_REQUESTS_FILE) ? Channel::of_file(CUSET_REQUESTS_FILE)
                                             : Channel::of_device(folder)),
        downloads_(exists(CUSET_RECORD_FILE) || exists(CUSET_REQUESTS_FILE)) {
    if (exists(CUSET_RECORD_FILE)) channel_.log_to(CUSET_REQUESTS_FILE);
  }

  void serve() {
    greet();
    for (Message message; channel_.receive(message);) answer(message);
    account_.finished = 1;
  }

  void leave_account() {
    downloads_.finish();
    std::ofstream file(CUSET_ACCOUNT_FILE, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&account_), sizeof account_);
  }

 private:
  void greet() {
    const MemoryBases wanted = channel_.expect(MessageKind::kHello).take<MemoryBases>();
    const MemoryBases own = memory_bases();
    require(wanted.device == own.device && wanted.shared == own.shared, "the arenas lie elsewhere");
    keep_heap_apart();
    open_device_memory();  // nobody else is here
    const std::vector<const CusetVariable*> variables = all_variables();
    Message known(MessageKind::kVariables);
    known.put(uint64_t{variables.size()});
    for (const CusetVariable* variable : variables) {
      known.put_text(variable->name);
      known.put(reinterpret_cast<uint64_t>(variable->address)).put(variable->bytes);
    }
    channel_.send(known);
  }

  void answer(Message& message) {
    switch (message.kind()) {
      case MessageKind::kAllocate:
        return allocate(message.take<Allocation>());
      case MessageKind::kFree:
        return release(message.take<uint64_t>());
      case MessageKind::kWrite:
        return write(message);
      case MessageKind::kRead:
        return read(message);
      case MessageKind::kCopy:
        return copy(message);
      case MessageKind::kFill:
        return fill(message);
      case MessageKind::kLaunch:
        return launch(message);
      case MessageKind::kReset:
        return reset_variables();
      case MessageKind::kShare:
        return share(message.take_text());
      default:
        throw ChannelBroken("an unknown message");
    }
  }

  void allocate(const Allocation& wanted) {
    const bool known = wanted.kind == MemoryKind::kDevice || wanted.kind == MemoryKind::kManaged ||
                       wanted.kind == MemoryKind::kPinned;
    require(known && allocate_memory_at(wanted.address, wanted.bytes, wanted.kind),
            "an allocation that cannot be made here");
  }

  void release(uint64_t address) {
    const std::optional<Allocation> found = find_allocation(address);
    require(found && free_memory(address, found->kind), "memory that nobody allocated is freed");
  }

  void share(const std::string& name) {
    for (const CusetVariable* variable : all_variables()) {
      if (name != variable->name) continue;
      const auto address = reinterpret_cast<uint64_t>(variable->address);
      managed_variables_.push_back({address, variable->bytes, MemoryKind::kVariable, 0, false});
    }
  }

  void write(Message& message) {
    const auto to = message.take<Surface>();
    const auto box = message.take<Box>();
    const std::span<char> bytes = message.rest();
    require(box.bytes() == bytes.size(), "a write of another size");
    account_.uploaded_bytes += bytes.size();
    account_.replaced_bytes += masks_.replace(bytes);
    require(copy_box(to, packed(bytes.data(), box), box, cudaMemcpyHostToDevice) == cudaSuccess,
            "a write outside of device memory");
  }

  void read(Message& message) {
    const auto from = message.take<Surface>();
    const auto box = message.take<Box>();
    require(box.bytes() <= total_device_memory(), "a read of more than there is");
    std::vector<char> bytes(box.bytes());
    require(copy_box(packed(bytes.data(), box), from, box, cudaMemcpyDeviceToHost) == cudaSuccess,
            "a read outside of device memory");
    downloads_.add(from.address, bytes, account_);
    channel_.send(Message(MessageKind::kBytes).put_bytes(bytes.data(), bytes.size()));
  }

  static void copy(Message& message) {
    const auto to = message.take<Surface>();
    const auto from = message.take<Surface>();
    const auto box = message.take<Box>();
    require(copy_box(to, from, box, cudaMemcpyDeviceToDevice) == cudaSuccess,
            "a copy outside of device memory");
  }

  static void fill(Message& message) {
    const auto to = message.take<Surface>();
    const auto box = message.take<Box>();
    require(fill_box(to, box, message.take<int>()) == cudaSuccess, "a fill outside of device memory");
  }

  static void check_shape(const CusetKernel& kernel, const LaunchShape& shape) {
    uint64_t threads = 1;
    for (int i = 0; i < 3; ++i) {
      require(shape.grid[i] >= 1 && shape.grid[i] <= kGridLimits[i], "a grid that no device takes");
      require(shape.block[i] >= 1 && shape.block[i] <= kBlockLimits[i], "a block that no device takes");
      threads *= shape.block[i];
    }
    require(threads <= kThreadsPerBlock, "a block that no device takes");
    require(uint64_t{kernel.static_shared_bytes} + shape.dynamic_shared_bytes <= kLargestShared,
            "more shared memory than a device has");
  }

  void launch(Message& message) {
    const CusetKernel* kernel = find_kernel_named(message.take_text());
    require(kernel != nullptr, "an unknown kernel");
    const auto shape = message.take<LaunchShape>();
    check_shape(*kernel, shape);
    require(message.take<uint64_t>() == kernel->parameter_count, "a launch with other arguments");
    KernelArguments arguments;
    for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
      const uint32_t size = message.take<uint32_t>();
      arguments.add(message.take_bytes(size).data(), size);
    }
    const std::vector<std::pair<Allocation, std::vector<char>>> before = shared_contents();
    const LaunchEnd end = run_kernel(*kernel, shape, arguments.slots().data(), arguments.sizes().data());
    end_of_launch_output();
    record_launch(*kernel, shape, end);
    ++account_.launches;
    send_end(end, before);
  }

  std::vector<std::pair<Allocation, std::vector<char>>> shared_contents() const {
    std::vector<Allocation> ranges = shared_allocations();
    ranges.insert(ranges.end(), managed_variables_.begin(), managed_variables_.end());
    std::vector<std::pair<Allocation, std::vector<char>>> contents;
    for (const Allocation& range : ranges) {
      const char* bytes = reinterpret_cast<const char*>(range.address);
      contents.emplace_back(range, std::vector<char>(bytes, bytes + range.bytes));
    }
    return contents;
  }

  void send_end(const LaunchEnd& end, const std::vector<std::pair<Allocation, std::vector<char>>>& before) {
    uint64_t count = 0;
    Message changes;
    for (const auto& [range, bytes] : before) {
      const uint64_t address = range.address;
      const char* now = reinterpret_cast<const char*>(address);
      each_change(bytes.data(), now, range.bytes, [&](uint64_t offset, uint64_t size) {
        changes.put(address).put(offset).put(size).put_bytes(now + offset, size);
        if (!downloads_.wants_all())
          downloads_.add(address + offset, std::span(now + offset, size), account_);
        ++count;
      });
      // What changes depends on the inputs: to compare two runs, both write down everything.
      if (downloads_.wants_all()) downloads_.add(address, std::span(now, range.bytes), account_);
    }
    Message message(MessageKind::kLaunched);
    message.put(end.error).put(end.nanoseconds).put_text(end.explanation).put(count);
    const std::span<char> all = changes.rest();
    channel_.send(message.put_bytes(all.data(), all.size()));
  }

  InputMasks masks_;
  Channel channel_;
  Downloads downloads_;
  std::vector<Allocation> managed_variables_;
  CusetDeviceAccount account_{CUSET_ACCOUNT_MAGIC, 0, 0, 0, 0, 0, 0};
};

}  // namespace
}  // namespace cuset_emulator

// The main of the program that device code is linked into.
extern "C" int cuset_device_main(int count, char** words) {
  if (count != 2) return 2;
  try {
    cuset_emulator::DeviceProcess process(words[1]);
    try {
      process.serve();
    } catch (const cuset_emulator::ChannelBroken& broken) {
      std::fprintf(stderr, "%s\n", broken.what());
    }
    process.leave_account();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
