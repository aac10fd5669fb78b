// Keeps a GPU awake: a process of ours (cuset_gpu_probe INDEX --keep) holds an idle context on it. A GPU without any
// context lowers its clocks and takes down its driver's state, and the first kernels afterwards are measured on the way
// up. An idle context takes no time from others.
#pragma once

#include <sys/types.h>

#include "base/files/file.h"

namespace cuset::execute {

class KeptGpu {
 public:
  // Does not wait for the context. Where it cannot be made, or the GPU is set to one process at a time, nothing happens.
  explicit KeptGpu(int index);
  ~KeptGpu();  // ends the process
  KeptGpu(const KeptGpu&) = delete;
  KeptGpu& operator=(const KeptGpu&) = delete;

 private:
  base::FileDescriptor lifeline_;  // the process ends when this is closed, be it by our own death
  pid_t process_ = -1;
};

}  // namespace cuset::execute
