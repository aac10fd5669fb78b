#include "runtime/remote/remote_device.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "device_account.h"
#include "runtime/memory/memory.h"

namespace cuset_emulator {
namespace {

constexpr int kLostDevice = 88;  // the program's exit status: nothing it could do without its device

// A program without its device has nothing to say.
template <class Body>
auto or_end(Body body) {
  try {
    return body();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "the device's process: %s\n", error.what());
    _exit(kLostDevice);
  }
}

void gather(const Surface& from, const Box& box, Message& message) {
  each_row(box, [&](uint64_t y, uint64_t z) {
    message.put_bytes(reinterpret_cast<const void*>(row_address(from, y, z)), box.width);
  });
}

void scatter(std::span<char> bytes, const Surface& to, const Box& box) {
  const char* next = bytes.data();
  each_row(box, [&](uint64_t y, uint64_t z) {
    std::memcpy(reinterpret_cast<void*>(row_address(to, y, z)), next, box.width);
    next += box.width;
  });
}

void tell_allocation(const Allocation& allocation) { remote_device()->allocate(allocation); }
void tell_freed(uint64_t address) { remote_device()->free(address); }

RemoteDevice* connect() {
  const char* folder = std::getenv(CUSET_REMOTE_VARIABLE);
  if (folder == nullptr) return nullptr;
  const std::string path = folder;
  unsetenv(CUSET_REMOTE_VARIABLE);
  RemoteDevice* device = or_end([&] { return new RemoteDevice(path); });
  return device;
}

// Before the program's own code, so that the device hears of its first allocation, too.
[[gnu::constructor]] void connect_early() { remote_device(); }

}  // namespace

RemoteDevice* remote_device() {
  static RemoteDevice* const device = connect();
  return device;
}

namespace {
DeviceTraits& emulated_traits() {
  static DeviceTraits traits;
  return traits;
}
}  // namespace

const DeviceTraits& device_traits() {
  const RemoteDevice* const remote = remote_device();
  return remote == nullptr ? emulated_traits() : remote->traits();
}

void adopt_compute_capability_9() {
  emulated_traits() = {.compute_major = 9,
                       .compute_minor = 0,
                       .multiprocessors = 132,
                       .clock_kilohertz = 1'980'000,
                       .memory_clock_kilohertz = 2'619'000,
                       .memory_bus_bits = 5120,
                       .cache_bytes = 50 << 20,
                       .shared_per_block_on_request = 227 << 10,
                       .shared_per_multiprocessor = 228 << 10};
}

RemoteDevice::RemoteDevice(const std::string& folder) : channel_(Channel::of_program(folder)) {
  observe_memory({tell_allocation, tell_freed});
  const MemoryBases bases = memory_bases();
  channel_.send(Message(MessageKind::kHello).put(bases));
  Message known = channel_.expect(MessageKind::kVariables);
  traits_ = known.take<DeviceTraits>();
  take_variables(known);
}

std::vector<RemoteVariable> RemoteDevice::take_variables(Message& message) {
  std::vector<RemoteVariable> taken;
  for (uint64_t left = message.take<uint64_t>(); left > 0; --left) {
    RemoteVariable variable;
    variable.name = message.take_text();
    variable.address = message.take<uint64_t>();
    variable.bytes = message.take<uint64_t>();
    variables_[variable.name] = variable;
    adopt_ranges({{variable.address, variable.bytes, MemoryKind::kVariable, 0, false}});
    taken.push_back(std::move(variable));
  }
  return taken;
}

RemoteSymbols RemoteDevice::load(const RemoteImage& image) {
  const std::lock_guard lock(mutex_);
  return or_end([&] {
    Message message(MessageKind::kLoad);
    for (const std::vector<std::string>* names : {&image.kernels, &image.variables}) {
      message.put(uint64_t{names->size()});
      for (const std::string& name : *names) message.put_text(name);
    }
    channel_.send(message.put_bytes(image.bytes.data(), image.bytes.size()));
    Message loaded = channel_.expect(MessageKind::kLoaded);
    RemoteSymbols symbols;
    for (uint64_t left = loaded.take<uint64_t>(); left > 0; --left) {
      RemoteKernel kernel;
      kernel.name = loaded.take_text();
      kernel.static_shared_bytes = loaded.take<uint32_t>();
      kernel.most_threads = loaded.take<uint32_t>();
      for (uint64_t sizes = loaded.take<uint64_t>(); sizes > 0; --sizes)
        kernel.argument_sizes.push_back(loaded.take<uint32_t>());
      symbols.kernels.push_back(std::move(kernel));
    }
    symbols.variables = take_variables(loaded);
    return symbols;
  });
}

const RemoteVariable* RemoteDevice::find_variable(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : &found->second;
}

void RemoteDevice::share_variable(const std::string& name, uint64_t here, uint64_t bytes, bool fetch) {
  const RemoteVariable* there = find_variable(name);
  if (there == nullptr || there->bytes != bytes) return;
  const Box box{bytes};
  if (fetch) read(Surface{here, bytes, bytes}, Surface{there->address, bytes, bytes}, box);
  shared_variables_[name] = {here, there->address, bytes};
  or_end([&] { channel_.send(Message(MessageKind::kShare).put_text(name)); });
}

void RemoteDevice::reset_variables() {
  or_end([&] { channel_.send(Message(MessageKind::kReset)); });
}

void RemoteDevice::allocate(const Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  known_.erase(allocation.address);
  or_end([&] { channel_.send(Message(MessageKind::kAllocate).put(allocation)); });
}

void RemoteDevice::free(uint64_t address) {
  const std::lock_guard lock(mutex_);
  known_.erase(address);
  or_end([&] { channel_.send(Message(MessageKind::kFree).put(address)); });
}

void RemoteDevice::write(const Surface& to, const Surface& from, const Box& box) {
  const std::lock_guard lock(mutex_);
  Message message(MessageKind::kWrite);
  message.put(to).put(box);
  gather(from, box, message);
  or_end([&] { channel_.send(message); });
}

void RemoteDevice::read(const Surface& to, const Surface& from, const Box& box) {
  const std::lock_guard lock(mutex_);
  or_end([&] {
    channel_.send(Message(MessageKind::kRead).put(from).put(box));
    Message bytes = channel_.expect(MessageKind::kBytes);
    scatter(bytes.take_bytes(box.bytes()), to, box);
  });
}

void RemoteDevice::copy(const Surface& to, const Surface& from, const Box& box) {
  const std::lock_guard lock(mutex_);
  or_end([&] { channel_.send(Message(MessageKind::kCopy).put(to).put(from).put(box)); });
}

void RemoteDevice::fill(const Surface& to, const Box& box, int value) {
  const std::lock_guard lock(mutex_);
  or_end([&] { channel_.send(Message(MessageKind::kFill).put(to).put(box).put(value)); });
}

int RemoteDevice::create_texture(const CusetTexture& texture, uint64_t& handle) {
  const std::lock_guard lock(mutex_);
  return or_end([&] {
    channel_.send(Message(MessageKind::kTexture).put(texture));
    Message made = channel_.expect(MessageKind::kTextureMade);
    const int error = made.take<int>();
    handle = made.take<uint64_t>();
    return error;
  });
}

void RemoteDevice::destroy_texture(uint64_t handle) {
  const std::lock_guard lock(mutex_);
  or_end([&] { channel_.send(Message(MessageKind::kDestroyTexture).put(handle)); });
}

// Only what changed: the rest of a range may be other bytes there.
void RemoteDevice::send_changes() {
  std::vector<SharedRange> ranges;
  for (const Allocation& allocation : shared_allocations())
    ranges.push_back({allocation.address, allocation.address, allocation.bytes});
  for (const auto& [name, range] : shared_variables_) ranges.push_back(range);
  for (const SharedRange& range : ranges) {
    const char* now = reinterpret_cast<const char*>(range.here);
    std::vector<char>& before = known_[range.here];
    const auto send = [&](uint64_t offset, uint64_t bytes) {
      const Box box{bytes};
      Message message(MessageKind::kWrite);
      message.put(Surface{range.there + offset, bytes, bytes}).put(box).put_bytes(now + offset, bytes);
      channel_.send(message);
    };
    if (before.size() != range.bytes) {
      send(0, range.bytes);
    } else {
      each_change(before.data(), now, range.bytes, send);
    }
    before.assign(now, now + range.bytes);
  }
}

// Managed variables lie elsewhere in the other process.
uint64_t RemoteDevice::address_there(uint64_t here) const {
  for (const auto& [name, range] : shared_variables_)
    if (here - range.here < range.bytes) return range.there + (here - range.here);
  return here;
}

void RemoteDevice::take_changes(Message& message) {
  std::map<uint64_t, uint64_t> here_of;
  for (const auto& [name, range] : shared_variables_) here_of[range.there] = range.here;
  for (uint64_t left = message.take<uint64_t>(); left > 0; --left) {
    const uint64_t there = message.take<uint64_t>();
    const uint64_t offset = message.take<uint64_t>();
    const std::span<char> bytes = message.take_bytes(message.take<uint64_t>());
    const auto variable = here_of.find(there);
    const uint64_t here = variable == here_of.end() ? there : variable->second;
    const auto known = known_.find(here);
    if (known == known_.end() || offset > known->second.size() ||
        bytes.size() > known->second.size() - offset)
      throw ChannelBroken("a change outside of what is shared");
    std::memcpy(reinterpret_cast<char*>(here) + offset, bytes.data(), bytes.size());
    std::memcpy(known->second.data() + offset, bytes.data(), bytes.size());
  }
}

LaunchEnd RemoteDevice::launch(const CusetKernel& kernel, const LaunchShape& shape, const uint64_t* slots,
                               const uint32_t* sizes) {
  const std::lock_guard lock(mutex_);
  return or_end([&] {
    send_changes();
    Message message(MessageKind::kLaunch);
    message.put_text(kernel.name).put(shape).put(uint64_t{kernel.parameter_count});
    for (uint32_t i = 0; i < kernel.parameter_count; ++i) {
      const bool in_slot = sizes[i] == 1 || sizes[i] == 2 || sizes[i] == 4 || sizes[i] == 8;
      // Of kernels for a GPU it is not known which parameters are pointers.
      const bool is_pointer =
          in_slot &&
          (kernel.parameter_is_pointer == nullptr ? sizes[i] == 8 : kernel.parameter_is_pointer[i]);
      const uint64_t slot = is_pointer ? address_there(slots[i]) : slots[i];
      message.put(sizes[i]).put_bytes(in_slot ? &slot : reinterpret_cast<const void*>(slots[i]), sizes[i]);
    }
    channel_.send(message);
    Message launched = channel_.expect(MessageKind::kLaunched);
    LaunchEnd end;
    end.error = launched.take<int>();
    end.nanoseconds = launched.take<uint64_t>();
    end.explanation = launched.take_text();
    take_changes(launched);
    return end;
  });
}

}  // namespace cuset_emulator
