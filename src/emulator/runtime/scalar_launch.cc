// A stand-in for the scheduler, for tests of the host side: runs every thread to its end, one after the
// other.
#include <csetjmp>

#define CUSET_RUNTIME
#include "runtime/fault.h"
#include "runtime/launch.h"

extern "C" __thread CusetContext cuset_context __attribute__((tls_model("initial-exec")));
__thread CusetContext cuset_context;

namespace cuset_emulator {
namespace {

std::jmp_buf end_of_launch;
LaunchEnd launch_end;

uint64_t volume(const uint32_t (&sizes)[3]) { return uint64_t{sizes[0]} * sizes[1] * sizes[2]; }

void set_index(uint32_t (&index)[3], const uint32_t (&sizes)[3], uint64_t linear) {
  index[0] = static_cast<uint32_t>(linear % sizes[0]);
  index[1] = static_cast<uint32_t>(linear / sizes[0] % sizes[1]);
  index[2] = static_cast<uint32_t>(linear / sizes[0] / sizes[1]);
}

void run_threads(const CusetKernel& kernel, const LaunchShape& shape, const uint64_t* slots) {
  for (uint64_t block = 0; block < volume(shape.grid); ++block) {
    for (uint64_t thread = 0; thread < volume(shape.block); ++thread) {
      for (int i = 0; i < 3; ++i) cuset_context.grid_dim[i] = shape.grid[i];
      for (int i = 0; i < 3; ++i) cuset_context.block_dim[i] = shape.block[i];
      set_index(cuset_context.block_index, shape.grid, block);
      set_index(cuset_context.thread_index, shape.block, thread);
      kernel.run_thread(slots);
    }
  }
}

}  // namespace

LaunchEnd run_kernel(const CusetKernel& kernel, const LaunchShape& shape, const uint64_t* slots,
                     const uint32_t*) {
  launch_end = LaunchEnd{};
  launch_end.nanoseconds = 1;
  if (setjmp(end_of_launch) == 0) run_threads(kernel, shape, slots);
  return launch_end;
}

void fail_launch(int error, std::string_view explanation) {
  launch_end.error = error;
  launch_end.explanation = explanation;
  std::longjmp(end_of_launch, 1);
}

}  // namespace cuset_emulator
