#include "cli/framework/version.h"

#include <fmt/format.h>

#include "cli/framework/git_revision.h"  // made by cmake/git_revision.cmake
#include "ops/device/backend.h"

namespace cuset::cli {

std::string program_version() { return CUSET_VERSION; }

std::string git_revision() { return CUSET_GIT_REVISION; }

std::string version_text() {
  const ops::TensorBackend backend = ops::describe_tensor_backend();
  const std::string torch_cuda =
      backend.libtorch_cuda_version.empty() ? "CPU only" : "CUDA " + backend.libtorch_cuda_version;
  const std::string kernels =
      backend.kernel_cuda_version.empty()
          ? "none compiled"
          : fmt::format("CUDA {} for {}", backend.kernel_cuda_version, backend.kernel_architectures);
  return fmt::format("cuset {} (revision {})\nLibTorch {} ({})\nGPU kernels: {}\nCompiler: {}\n",
                     program_version(), git_revision(), backend.libtorch_version, torch_cuda, kernels,
                     CUSET_COMPILER);
}

}  // namespace cuset::cli
