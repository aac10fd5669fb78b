#include "ops/gpu/gpu_launch.h"

#include "base/error.h"

namespace cuset::ops {

void check_gpu_launch(const char* kernel) {
  const char* failure = take_gpu_error();
  if (failure == nullptr) return;
  throw base::Error("GPU kernel {} did not launch: {}", kernel, failure)
      .with_remedy("`cuset doctor` shows which GPU architectures this program was compiled for");
}

int gpu_multiprocessors() {
  const int count = count_gpu_multiprocessors();
  if (count > 0) return count;
  const char* failure = take_gpu_error();
  throw base::Error("the GPU does not answer: {}", failure == nullptr ? "no reason given" : failure)
      .with_remedy("see `nvidia-smi` and `cuset doctor`");
}

}  // namespace cuset::ops
