#include "ops/device/lack_of_memory.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <new>

namespace cuset::ops {
namespace {

// Of main memory, of the CUDA runtime outside LibTorch's allocator, and of the libraries of matrix products
// and convolutions when they make their workspaces.
constexpr std::array<std::string_view, 5> kWords = {"not enough memory", "can't allocate memory",
                                                    "CUDA error: out of memory", "CUBLAS_STATUS_ALLOC_FAILED",
                                                    "CUDNN_STATUS_ALLOC_FAILED"};

}  // namespace

bool is_lack_of_memory(const std::exception& error) {
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr) return true;
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  const auto* of_libtorch = dynamic_cast<const c10::Error*>(&error);
  if (of_libtorch == nullptr) return false;
  const std::string_view text = of_libtorch->what_without_backtrace();
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view words) { return text.find(words) != text.npos; });
}

base::Error lack_of_memory(std::string_view remedy) {
  return base::Error("the device is out of memory").with_remedy("{}", remedy);
}

}  // namespace cuset::ops
