// The programs on a GPU: a few that share it, or one that has it exclusively. Threads of this process are
// counted; processes take a lock, shared or exclusive, on a file that is named after the GPU.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>

#include "base/files/file.h"

namespace cuset::execute {

class GpuQueue {
 public:
  // `places`: programs of this process that may be on the device together. Throws Error where the lock file
  // can be neither made nor opened.
  GpuQueue(const std::string& uuid, uint32_t places);

  enum class Want : uint8_t { kExclusive, kShared };

  // Holds its place while it lives. An exclusive turn goes before those that are asked for later.
  class Turn {
   public:
    Turn(GpuQueue& queue, Want want);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    // Whether another turn of this process overlapped with this one so far.
    bool was_shared() const;

   private:
    GpuQueue& queue_;
    const Want want_;
    uint64_t began_ = 0;
  };

 private:
  void lock_file(int how);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::filesystem::path path_;
  base::FileDescriptor file_;
  const uint32_t places_;
  uint32_t taken_ = 0;
  uint32_t waiting_exclusive_ = 0;
  bool exclusive_ = false;
  uint64_t starts_ = 0;       // turns begun
  uint64_t last_shared_ = 0;  // number of the last start that shared the device
};

}  // namespace cuset::execute
