#include "base/error.h"
#include "train/process_groups.h"

#if CUSET_HAS_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include <cstdlib>
#endif

namespace cuset {

#if CUSET_HAS_NCCL

bool has_nccl() { return true; }

c10::intrusive_ptr<c10d::Backend> make_nccl_group(const GroupOptions& options) {
  // Ranks sees failures by itself and turns them into an Error; c10d's way is to end the process.
  setenv("TORCH_NCCL_ASYNC_ERROR_HANDLING", "0", /*overwrite=*/0);
  auto nccl = c10d::ProcessGroupNCCL::Options::create();
  nccl->timeout = options.timeout;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(options.store, options.rank, options.size, nccl);
}

#else

bool has_nccl() { return false; }

c10::intrusive_ptr<c10d::Backend> make_nccl_group(const GroupOptions&) {
  throw Error("this program was built without NCCL");
}

#endif

}  // namespace cuset
