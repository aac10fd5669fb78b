// A command's proposal of inputs on any bytes: sets that fit the kernel, or what is wrong in one printable line.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "curate/trial/proposal.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto kKernels =
      cuset::cuda_source::find_kernel_interfaces("__global__ void f(const float* x, int* y, int n) {}\n");
  const auto parsed =
      cuset::curate::parse_proposal(std::string_view(reinterpret_cast<const char*>(data), size), kKernels);
  if (const auto* fault = std::get_if<std::string>(&parsed)) {
    require(!fault->empty() && fault->find('\n') == std::string::npos);
    return 0;
  }
  for (const auto& kernel : std::get<cuset::curate::Proposal>(parsed).kernels) {
    for (const auto& set : kernel.sets) {
      require(set.arguments.size() == 3);
      require(set.block[0] * set.block[1] * set.block[2] <= 1024);
    }
  }
  return 0;
}
