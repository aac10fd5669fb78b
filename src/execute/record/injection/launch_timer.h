// Device time of launches by pairs of events around them, for the interposed runtime. An event before and one
// after a launch also hold its waiting time on a busy stream, so these times are upper bounds; CUPTI's are
// exact.
#pragma once

#include <cuda_runtime_api.h>

#include <deque>
#include <mutex>
#include <string>

#include "execute/record/injection/record_writer.h"

namespace cuset_injection {

class LaunchTimer {
 public:
  static LaunchTimer& get();

  // Whether launches on `stream` only become nodes of a graph.
  bool is_capturing(cudaStream_t stream) const;
  // An event recorded on `stream` now, or null where the runtime refuses.
  cudaEvent_t mark(cudaStream_t stream);
  // The launch between `start` and now, to be recorded once the device has passed it.
  void launched(cudaEvent_t start, cudaStream_t stream, const char* mangled, const Shape& shape,
                uint64_t shared_bytes);
  // Records what the device has passed; `wait`: all of it.
  void harvest(bool wait);

 private:
  struct Pending {
    cudaEvent_t start;
    cudaEvent_t end;
    std::string mangled;
    Shape shape;
    uint64_t shared_bytes;
  };

  LaunchTimer() = default;

  std::mutex mutex_;
  std::deque<Pending> pending_;
};

// The function that the interposed one of the same name hides.
void* hidden_function(const char* name);

}  // namespace cuset_injection
