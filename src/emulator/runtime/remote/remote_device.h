// The device of a program whose kernels run in another process (docs/proof-of-work.md). The program keeps all
// that the runtime knows of streams, allocations and errors; the bytes of device memory and the kernels are
// in the other process, at the same addresses.
//
// Memory that host and device share (managed, pinned) is kept on both sides: before a launch the host's
// changes are sent, after it the device's are taken over.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "cuset_emulator/texture_object.h"
#include "runtime/launch/launch.h"
#include "runtime/memory/memory_map.h"
#include "runtime/memory/surface.h"
#include "runtime/remote/channel.h"
#include "runtime/remote/device_traits.h"
#include "runtime/remote/symbols.h"

namespace cuset_emulator {

// Bytes that both processes keep, where each has them.
struct SharedRange {
  uint64_t here = 0;
  uint64_t there = 0;
  uint64_t bytes = 0;
};

class RemoteDevice {
 public:
  explicit RemoteDevice(const std::string& folder);

  // Device code for a GPU, which the other process runs on one.
  RemoteSymbols load(const RemoteImage& image);

  // A variable of device code by its mangled name; null where there is none.
  const RemoteVariable* find_variable(const std::string& name) const;
  // A managed one, which the host has at `here`. With `fetch` it gets the device's first value.
  void share_variable(const std::string& name, uint64_t here, uint64_t bytes, bool fetch = false);
  void reset_variables();
  const DeviceTraits& traits() const { return traits_; }

  void allocate(const Allocation& allocation);
  void free(uint64_t address);
  void write(const Surface& to, const Surface& from, const Box& box);
  void read(const Surface& to, const Surface& from, const Box& box);
  void copy(const Surface& to, const Surface& from, const Box& box);
  void fill(const Surface& to, const Box& box, int value);
  // Of device code for a GPU. Returns an error of CUDA's, 0 for none.
  int create_texture(const CusetTexture& texture, uint64_t& handle);
  void destroy_texture(uint64_t handle);
  LaunchEnd launch(const CusetKernel& kernel, const LaunchShape& shape, const uint64_t* slots,
                   const uint32_t* sizes);

 private:
  std::vector<RemoteVariable> take_variables(Message& message);
  void send_changes();
  uint64_t address_there(uint64_t here) const;
  void take_changes(Message& message);

  std::mutex mutex_;
  Channel channel_;
  DeviceTraits traits_;
  std::map<std::string, RemoteVariable> variables_;
  std::map<std::string, SharedRange> shared_variables_;
  // What the device has of every shared range, by its address here.
  std::map<uint64_t, std::vector<char>> known_;
};

// Null where this program's kernels run in its own process.
RemoteDevice* remote_device();

// The parts of `now` that differ from `before`, in words of 4 bytes: body(offset, bytes).
template <class Body>
void each_change(const char* before, const char* now, uint64_t bytes, Body body) {
  constexpr uint64_t kWord = 4;
  const auto differs = [&](uint64_t at) {
    return std::memcmp(before + at, now + at, bytes - at < kWord ? bytes - at : kWord) != 0;
  };
  for (uint64_t at = 0; at < bytes;) {
    if (!differs(at)) {
      at += kWord;
      continue;
    }
    uint64_t end = at + kWord;
    while (end < bytes && differs(end)) end += kWord;
    if (end > bytes) end = bytes;
    body(at, end - at);
    at = end;
  }
}

}  // namespace cuset_emulator
