// Whether a GPU runs slower than it could, told by its management library (NVML), which needs no context on the
// device.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace cuset::execute {

class GpuClocks {
 public:
  // The GPU with this UUID; nothing where the library is not installed or does not know the GPU.
  static std::optional<GpuClocks> find(const std::string& uuid);

  // Heat, a power brake or the board slows it down right now. The usual power limit does not count: programs that
  // reach it always do.
  bool is_slowed_down() const;

 private:
  struct Library;
  GpuClocks(std::shared_ptr<const Library> library, void* device);

  std::shared_ptr<const Library> library_;
  void* device_;
};

}  // namespace cuset::execute
