#include "ops/device/matrix_speed.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <chrono>

#include "base/seconds_since.h"
#include "ops/device/memory.h"

namespace cuset::ops {
namespace {

constexpr double kMeasured = 0.1;  // seconds

}  // namespace

double matrix_operations_per_second(bool gpu, bool bfloat16) {
  const torch::NoGradGuard no_gradient;
  const int64_t size = gpu ? 4096 : 512;
  const auto options = torch::TensorOptions(gpu ? torch::kCUDA : torch::kCPU)
                           .dtype(bfloat16 ? torch::kBFloat16 : torch::kFloat32);
  const auto a = torch::ones({size, size}, options), b = torch::ones({size, size}, options);
  auto c = torch::mm(a, b);  // the first one sets the library up
  wait_for_gpu();
  const auto start = std::chrono::steady_clock::now();
  int64_t products = 0;
  do {
    torch::mm_out(c, a, b);
    wait_for_gpu();
    ++products;
  } while (base::seconds_since(start) < kMeasured);
  const double operations = 2.0 * static_cast<double>(size * size * size);
  return operations * static_cast<double>(products) / base::seconds_since(start);
}

}  // namespace cuset::ops
