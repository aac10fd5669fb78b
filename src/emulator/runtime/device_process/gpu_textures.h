// Texture objects, of linear and of pitched memory, of a program whose kernels run on a GPU in this process (gpu_device.cc).
//
// Handles of textures, as the program sees them, are numbers that nothing else is likely to be: where it hands one to a
// kernel, by itself, in a struct or in memory, the driver's handle takes its place. So recorded requests hold, although the
// driver gives other handles when they are replayed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "cuda_driver.h"
#include "cuset_emulator/texture_object.h"

namespace cuset_emulator {

// The driver's handles, and the numbers that the program has for them.
class TextureHandles {
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

  // `texture` as the emulator would have it. Sets the handle that the program gets. Throws ChannelBroken where the request
  // makes no sense; a result other than 0 is the program's error.
  Result create(const CusetTexture& texture, uint64_t& seen);
  void destroy(uint64_t seen);
  const TextureHandles& handles() const { return handles_; }

  // The bytes that a texture of this handle reaches; 0: there is none.
  uint64_t bytes_of(uint64_t seen) const;

  // Takes all back. False where the driver fails.
  bool clear();

 private:
  const Driver& driver_;
  const Locate locate_;
  TextureHandles handles_;
  std::map<uint64_t, uint64_t> bytes_;  // by the handle that the program sees
};

}  // namespace cuset_emulator
