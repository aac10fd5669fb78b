// CUDA arrays, texture and surface objects of a program whose kernels run on a GPU in this process (gpu_device.cc).
//
// The program has an array as memory row by row, at an address of its own, and copies to and from that. Here it is an array of
// the driver's; an address and a pitch say which texels are meant. Handles of objects, as the program sees them, are numbers
// that nothing else is likely to be: where it hands one to a kernel, by itself, in a struct or in memory, the driver's
// handle takes its place. So recorded requests hold, although the driver gives other handles when they are replayed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "cuda_driver.h"
#include "cuset_emulator/texture_object.h"
#include "runtime/memory/surface.h"
#include "runtime/remote/remote_array.h"

namespace cuset_emulator {

// Byte x of row y of slice z.
struct TexelPlace {
  uint64_t x = 0, y = 0, z = 0;
};

// Where `box` begins in the array. Throws ChannelBroken where it leaves the array, or has other rows or slices.
TexelPlace place_in_array(const RemoteArray& array, const Surface& surface, const Box& box);

// The driver's handles, and the numbers that the program has for them.
class ObjectHandles {
 public:
  uint64_t add(uint64_t real);
  std::optional<uint64_t> find(uint64_t seen) const;
  void remove(uint64_t seen) { real_.erase(seen); }
  void clear() { real_.clear(), next_ = 0; }

  // Puts the driver's handles in place of the program's, in words of 8 bytes.
  void translate(std::span<char> bytes) const;
  // The same, with a copy in `changed` where there is any to be translated.
  std::span<const char> translated(std::span<const char> bytes, std::vector<char>& changed) const;

  const std::map<uint64_t, uint64_t>& all() const { return real_; }

 private:
  std::map<uint64_t, uint64_t> real_;  // by what the program sees
  uint64_t next_ = 0;
};

class GpuTextures {
 public:
  using Driver = cuset::emulator::CudaDriver;
  using Result = Driver::Result;
  // The GPU's address of bytes of plain device memory. Throws ChannelBroken.
  using Locate = std::function<Driver::Address(uint64_t seen, uint64_t bytes)>;

  GpuTextures(const Driver& driver, Locate locate) : driver_(driver), locate_(std::move(locate)) {}

  // The memory that stands for the array holds what the array begins with. All throw ChannelBroken where a request makes no
  // sense; a result other than 0 is the program's error.
  Result create_array(const RemoteArray& array);
  void free_array(uint64_t address);  // if there is one
  bool holds(uint64_t address) const { return find(address) != nullptr; }

  // As of Device, where one side at least is an array.
  void write(const Surface& to, std::span<const char> packed, const Box& box);
  void read(std::span<char> packed, const Surface& from, const Box& box);
  void copy(const Surface& to, const Surface& from, const Box& box);

  // `object` as the emulator would have it. Sets the handle that the program gets.
  Result create_object(const CusetTexture& object, bool is_surface, uint64_t& seen);
  void destroy_object(uint64_t seen);
  const ObjectHandles& handles() const { return handles_; }

  // The bytes that an object of this handle reaches; 0: there is none.
  uint64_t bytes_of_object(uint64_t seen) const;

  // Takes all back. False where the driver fails.
  bool clear();

 private:
  struct Array {
    RemoteArray layout;
    Driver::Handle handle = nullptr;
  };
  struct Object {
    bool is_surface = false;
    uint64_t bytes = 0;
  };
  struct Side;

  const Array* find(uint64_t address) const;
  Side side_of(const Surface& surface, const Box& box, uint64_t slice) const;
  void copy_slices(const std::function<Side(uint64_t)>& to, const std::function<Side(uint64_t)>& from,
                   const Box& box);
  bool destroy(uint64_t seen, bool is_surface) const;

  const Driver& driver_;
  const Locate locate_;
  std::map<uint64_t, Array> arrays_;  // by address
  ObjectHandles handles_;
  std::map<uint64_t, Object> objects_;  // by the handle that the program sees
};

}  // namespace cuset_emulator
