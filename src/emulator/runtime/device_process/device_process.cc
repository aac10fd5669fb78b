#include "runtime/device_process/device_process.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <unordered_map>

#include "base/kernel_name.h"
#include "device_account.h"
#include "execution_record.h"
#include "runtime/device_process/footprint.h"
#include "runtime/device_process/input_masks.h"
#include "runtime/remote/channel.h"
#include "runtime/remote/remote_device.h"

namespace cuset_emulator {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw ChannelBroken(what);
}

bool exists(const char* file) { return access(file, F_OK) == 0; }

// Kernels whose launches do nothing, by the names that a record has of them.
class IdleKernels {
 public:
  IdleKernels() {
    std::ifstream file(CUSET_IDLE_FILE);
    for (std::string name; std::getline(file, name);) names_.push_back(name);
  }

  bool hold(const std::string& kernel) const {
    if (names_.empty()) return false;
    const std::string signature = recorded(cuset::base::kernel_signature(kernel.c_str()));
    const std::string plain = recorded(cuset::base::kernel_name(kernel.c_str()));
    return std::any_of(names_.begin(), names_.end(),
                       [&](const std::string& name) { return name == signature || name == plain; });
  }

 private:
  static std::string recorded(const std::string& name) {
    return name.substr(0, sizeof(CusetKernelRecord::name) - 1);
  }

  std::vector<std::string> names_;
};

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

// Memory that host and device share, and what it held before a launch.
struct SharedContents {
  uint64_t address = 0;
  std::vector<char> bytes;
};

class DeviceProcess {
 public:
  // `folder` has the pipes; where there is a file of requests, it is replayed instead.
  DeviceProcess(Device& device, const std::string& folder)
      : device_(device),
        masks_(InputMasks::read(CUSET_MASKS_FOLDER)),
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
    std::ofstream(CUSET_FOOTPRINTS_FILE) << footprints_.text();
    std::ofstream file(CUSET_ACCOUNT_FILE, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&account_), sizeof account_);
  }

 private:
  void greet() {
    device_.begin(channel_.expect(MessageKind::kHello).take<MemoryBases>());
    Message known(MessageKind::kVariables);
    known.put(device_.traits());
    put_variables(known, device_.variables());
    channel_.send(known);
  }

  void answer(Message& message) {
    switch (message.kind()) {
      case MessageKind::kLoad:
        return load(message);
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
        return device_.reset_variables();
      case MessageKind::kShare:
        return share(message);
      case MessageKind::kTexture:
        return create_texture(message.take<CusetTexture>());
      case MessageKind::kDestroyTexture:
        return device_.destroy_texture(message.take<uint64_t>());
      default:
        throw ChannelBroken("an unknown message");
    }
  }

  void put_variables(Message& message, const std::vector<RemoteVariable>& variables) {
    message.put(uint64_t{variables.size()});
    for (const RemoteVariable& variable : variables) {
      message.put_text(variable.name).put(variable.address).put(variable.bytes);
      variables_[variable.name] = variable;
      held_bytes_ += variable.bytes;
    }
  }

  static std::vector<std::string> take_names(Message& message) {
    std::vector<std::string> names;
    for (uint64_t left = message.take<uint64_t>(); left > 0; --left) names.push_back(message.take_text());
    return names;
  }

  void load(Message& message) {
    RemoteImage image;
    image.kernels = take_names(message);
    image.variables = take_names(message);
    image.bytes = message.rest();
    const RemoteSymbols symbols = device_.load(image);
    Message loaded(MessageKind::kLoaded);
    loaded.put(uint64_t{symbols.kernels.size()});
    for (const RemoteKernel& kernel : symbols.kernels) {
      loaded.put_text(kernel.name).put(kernel.static_shared_bytes).put(kernel.most_threads);
      loaded.put(uint64_t{kernel.argument_sizes.size()});
      for (const uint32_t size : kernel.argument_sizes) loaded.put(size);
    }
    put_variables(loaded, symbols.variables);
    channel_.send(loaded);
  }

  void allocate(const Allocation& wanted) {
    const bool is_shared = wanted.kind == MemoryKind::kManaged || wanted.kind == MemoryKind::kPinned;
    require(is_shared || wanted.kind == MemoryKind::kDevice, "an allocation of an unknown kind");
    device_.allocate(wanted);
    held_[wanted.address] = wanted.bytes;
    held_bytes_ += wanted.bytes;
    if (is_shared) shared_[wanted.address] = wanted.bytes;
  }

  void release(uint64_t address) {
    device_.release(address);
    shared_.erase(address);
    const auto held = held_.find(address);
    if (held == held_.end()) return;
    held_bytes_ -= held->second;
    held_.erase(held);
  }

  void share(Message& message) {
    const auto variable = variables_.find(message.take_text());
    if (variable != variables_.end()) shared_[variable->second.address] = variable->second.bytes;
  }

  void create_texture(const CusetTexture& texture) {
    uint64_t handle = 0;
    const int error = device_.create_texture(texture, handle);
    channel_.send(Message(MessageKind::kTextureMade).put(error).put(handle));
  }

  void write(Message& message) {
    const auto to = message.take<Surface>();
    const auto box = message.take<Box>();
    const std::span<char> bytes = message.rest();
    require(box.bytes() == bytes.size(), "a write of another size");
    account_.uploaded_bytes += bytes.size();
    account_.replaced_bytes += masks_.replace(bytes);
    device_.write(to, bytes, box);
  }

  void read(Message& message) {
    const auto from = message.take<Surface>();
    const auto box = message.take<Box>();
    require(box.bytes() <= held_bytes_, "a read of more than there is");
    std::vector<char> bytes(box.bytes());
    device_.read(bytes, from, box);
    downloads_.add(from.address, bytes, account_);
    channel_.send(Message(MessageKind::kBytes).put_bytes(bytes.data(), bytes.size()));
  }

  void copy(Message& message) {
    const auto to = message.take<Surface>();
    const auto from = message.take<Surface>();
    device_.copy(to, from, message.take<Box>());
  }

  void fill(Message& message) {
    const auto to = message.take<Surface>();
    const auto box = message.take<Box>();
    device_.fill(to, box, message.take<int>());
  }

  void launch(Message& message) {
    const std::string kernel = message.take_text();
    const auto shape = message.take<LaunchShape>();
    std::vector<std::span<char>> arguments;
    for (uint64_t left = message.take<uint64_t>(); left > 0; --left) {
      const uint32_t size = message.take<uint32_t>();
      arguments.push_back(message.take_bytes(size));
    }
    const std::vector<SharedContents> before = shared_contents();
    const LaunchEnd end = idle_.hold(kernel) ? LaunchEnd{} : device_.launch(kernel, shape, arguments);
    ++account_.launches;
    account_.kernel_nanoseconds += end.nanoseconds;
    footprints_.add(kernel, shape, end.footprint_bytes);
    send_end(end, before);
  }

  std::vector<SharedContents> shared_contents() {
    std::vector<SharedContents> contents;
    for (const auto& [address, bytes] : shared_) {
      contents.push_back({address, std::vector<char>(bytes)});
      device_.look_at(address, contents.back().bytes);
    }
    return contents;
  }

  void send_end(const LaunchEnd& end, const std::vector<SharedContents>& before) {
    uint64_t count = 0;
    Message changes;
    std::vector<char> now;
    for (const auto& [address, bytes] : before) {
      now.resize(bytes.size());
      if (end.error == 0) device_.look_at(address, now);
      const char* begin = end.error == 0 ? now.data() : bytes.data();
      const uint64_t base = address;
      each_change(bytes.data(), begin, bytes.size(), [&](uint64_t offset, uint64_t size) {
        changes.put(base).put(offset).put(size).put_bytes(begin + offset, size);
        if (!downloads_.wants_all()) downloads_.add(base + offset, std::span(begin + offset, size), account_);
        ++count;
      });
      // What changes depends on the inputs: to compare two runs, both write down everything.
      if (downloads_.wants_all()) downloads_.add(base, std::span(begin, bytes.size()), account_);
    }
    Message message(MessageKind::kLaunched);
    message.put(end.error).put(end.nanoseconds).put_text(end.explanation).put(count);
    const std::span<char> all = changes.rest();
    channel_.send(message.put_bytes(all.data(), all.size()));
  }

  Device& device_;
  InputMasks masks_;
  const IdleKernels idle_;
  Channel channel_;
  Downloads downloads_;
  Footprints footprints_;
  std::map<std::string, RemoteVariable> variables_;
  std::map<uint64_t, uint64_t> held_;    // address -> bytes
  std::map<uint64_t, uint64_t> shared_;  // of these, and of variables: what the host has, too
  uint64_t held_bytes_ = 0;              // with variables
  CusetDeviceAccount account_{CUSET_ACCOUNT_MAGIC, 0, 0, 0, 0, 0, 0, 0};
};

}  // namespace

int serve_program(Device& device, const char* folder) {
  try {
    DeviceProcess process(device, folder);
    try {
      process.serve();
    } catch (const std::runtime_error& broken) {  // of the channel, or of the device
      std::fprintf(stderr, "%s\n", broken.what());
    }
    process.leave_account();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace cuset_emulator
