#include "ops/device/determinism.h"

#include <atomic>

namespace cuset::ops {
namespace {

// Not LibTorch's own switch: that one refuses operations which we use in forms that are deterministic.
std::atomic<bool> is_deterministic = false;

}  // namespace

void set_deterministic_operations(bool deterministic) { is_deterministic = deterministic; }

bool deterministic_operations() { return is_deterministic; }

}  // namespace cuset::ops
