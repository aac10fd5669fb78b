// What a process that is a program's device (device_process.h) works on: the emulator in that process
// (emulated_device.cc) or a GPU (gpu_device.cc). Addresses are those of the program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cuset_emulator/texture_object.h"
#include "runtime/launch/launch.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/surface.h"
#include "runtime/remote/device_traits.h"
#include "runtime/remote/symbols.h"

namespace cuset_emulator {

class Device {
 public:
  virtual ~Device() = default;

  // What the program asks for cannot be trusted: all of these throw ChannelBroken where it makes no sense.

  // The program has its arenas here.
  virtual void begin(const MemoryBases& bases) = 0;
  virtual DeviceTraits traits() = 0;
  // Variables that are there from the start.
  virtual std::vector<RemoteVariable> variables() = 0;
  // Device code that the program brings along.
  virtual RemoteSymbols load(const RemoteImage& image) = 0;

  virtual void allocate(const Allocation& wanted) = 0;
  virtual void release(uint64_t address) = 0;
  virtual void write(const Surface& to, std::span<const char> packed, const Box& box) = 0;
  virtual void read(std::span<char> packed, const Surface& from, const Box& box) = 0;
  virtual void copy(const Surface& to, const Surface& from, const Box& box) = 0;
  virtual void fill(const Surface& to, const Box& box, int value) = 0;
  // Only of a GPU. Returns an error of CUDA's, 0 for none.
  virtual int create_texture(const CusetTexture& texture, uint64_t& handle) = 0;
  virtual void destroy_texture(uint64_t handle) = 0;
  // The bytes of memory that host and device share, or of a variable.
  virtual void look_at(uint64_t address, std::span<char> bytes) = 0;
  virtual LaunchEnd launch(const std::string& kernel, const LaunchShape& shape,
                           const std::vector<std::span<char>>& arguments) = 0;
  virtual void reset_variables() = 0;
};

}  // namespace cuset_emulator
