#include "base/error.h"
#include "train/ranks/process_groups.h"

#if CUSET_HAS_NCCL
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include <cstdlib>
#endif

namespace cuset::train {

#if CUSET_HAS_NCCL

bool has_nccl() { return true; }

std::string gpu_identity(int device) {
  const auto* properties = at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(device));
  std::string name;
  for (const char byte : properties->uuid.bytes)
    name += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  // NCCL takes processes with different NCCL_HOSTIDs for ones on different machines.
  if (const char* host = std::getenv("NCCL_HOSTID")) name += fmt::format(" of {}", host);
  return name;
}

c10::intrusive_ptr<c10d::Backend> make_nccl_group(const GroupOptions& options) {
  // Ranks sees failures by itself and turns them into an Error; c10d's way is to end the process, and to
  // look for requests of a dump in the store long after its owner has gone. After a failure its watchdog
  // sleeps four times the wait for such a dump, 60 s by default, and closing the group waits for the
  // watchdog.
  setenv("TORCH_NCCL_ASYNC_ERROR_HANDLING", "0", /*overwrite=*/0);
  setenv("TORCH_NCCL_DUMP_ON_TIMEOUT", "0", /*overwrite=*/0);
  setenv("TORCH_NCCL_WAIT_TIMEOUT_DUMP_MILSEC", "250", /*overwrite=*/0);
  auto nccl = c10d::ProcessGroupNCCL::Options::create();
  nccl->timeout = options.timeout;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(options.store, options.rank, options.size, nccl);
}

#else

bool has_nccl() { return false; }

std::string gpu_identity(int) { return ""; }

c10::intrusive_ptr<c10d::Backend> make_nccl_group(const GroupOptions&) {
  throw base::Error("this program was built without NCCL");
}

#endif

}  // namespace cuset::train
