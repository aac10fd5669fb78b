// One program at a time on a GPU: among the threads of this process by a mutex, among processes by a lock on
// a file that is named after the GPU.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>

#include "base/file.h"

namespace cuset {

class GpuQueue {
 public:
  // Throws Error where the lock file can be neither made nor opened.
  explicit GpuQueue(const std::string& uuid);

  // Holds the GPU while it lives.
  class Turn {
   public:
    explicit Turn(GpuQueue& queue);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    GpuQueue& queue_;
    std::lock_guard<std::mutex> guard_;
  };

 private:
  std::mutex mutex_;
  std::filesystem::path path_;
  FileDescriptor file_;
};

}  // namespace cuset
