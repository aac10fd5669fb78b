#include "ops/dropout.h"

#include <vector>

#include "base/error.h"
#include "base/stats/random.h"
#include "ops/cpu/dropout_row.h"
#include "ops/cpu/row_parts.h"
#include "ops/cpu/vector_loops.h"
#include "ops/gpu/dropout_gpu.h"
#include "ops/gpu/gpu_stream.h"
#include "ops/wide_type.h"

namespace cuset::ops {
namespace {

void drop_rows_on_cpu(const torch::Tensor& x, torch::Tensor& y, const Dropout& dropout, uint32_t module) {
  const int64_t width = x.size(1);
  const auto* from = x.const_data_ptr<float>();
  auto* to = y.data_ptr<float>();
  for_row_parts(x.size(0), row_parts(x.size(0), 16), [&](int64_t, int64_t begin, int64_t end) {
    std::vector<float> factors(static_cast<size_t>(width));
    for (int64_t row = begin; row < end; ++row) {
      draw_dropout_factors(dropout_row(dropout, module, row), width, factors.data());
      multiply(from + row * width, factors.data(), width, to + row * width);
    }
  });
}

void check_shapes(const torch::Tensor& x, const Dropout& dropout) {
  CUSET_CHECK(dropout.probability < 1, "dropout {}", dropout.probability);
  CUSET_CHECK(x.dim() == 2 && dropout.row_keys.defined() && dropout.row_keys.numel() == x.size(0),
              "x {}: one key per row is wanted", c10::str(x.sizes()));
}

void drop_into(const torch::Tensor& x, torch::Tensor& y, const Dropout& dropout, uint32_t module) {
  check_shapes(x, dropout);
  if (x.numel() == 0) return;
#if CUSET_HAS_CUDA
  if (has_gpu_kernel(x)) {
    drop_gpu(gpu_type_of(x, "dropout"), x.size(0), x.size(1), x.const_data_ptr(), y.data_ptr(),
             dropout_rows(dropout, module), current_gpu_stream(x));
    return;
  }
#endif
  if (x.is_cpu() && x.scalar_type() == torch::kFloat32) {
    drop_rows_on_cpu(x, y, dropout, module);
    return;
  }
  // The product is rounded once, as on the GPU.
  const auto type = wide_type(x.scalar_type());
  y.copy_(x.to(type) * dropout_factors_reference(dropout, module, x.size(1)).to(x.device(), type));
}

}  // namespace

DropoutRow dropout_row(const Dropout& dropout, uint32_t module, int64_t row) {
  return {.module = module,
          .key = static_cast<uint64_t>(dropout.row_keys.const_data_ptr<int64_t>()[row]),
          .seed = dropout.seed,
          .threshold = dropout_threshold(dropout.probability),
          .kept = static_cast<float>(1 / (1 - dropout.probability))};
}

DropoutRows dropout_rows(const Dropout& dropout, uint32_t module) {
  return {.probability = dropout.probability,
          .seed = dropout.seed,
          .row_keys = dropout.is_on() ? dropout.row_keys.const_data_ptr<int64_t>() : nullptr,
          .module = module};
}

torch::Tensor drop(const torch::Tensor& x, const Dropout& dropout, uint32_t module) {
  if (!dropout.is_on()) return x;
  const auto rows = x.contiguous();
  auto y = torch::empty_like(rows);
  drop_into(rows, y, dropout, module);
  return y;
}

void drop_(torch::Tensor& x, const Dropout& dropout, uint32_t module) {
  if (!dropout.is_on()) return;
  CUSET_CHECK(x.is_contiguous(), "rows are not contiguous");
  drop_into(x, x, dropout, module);
}

torch::Tensor dropout_factors_reference(const Dropout& dropout, uint32_t module, int64_t width) {
  const auto keys = dropout.row_keys.to(torch::kCPU);
  auto factors = torch::empty({keys.numel(), width}, torch::kFloat32);
  const auto kept = static_cast<float>(1 / (1 - dropout.probability));
  for (int64_t row = 0; row < keys.numel(); ++row) {
    const auto key = static_cast<uint64_t>(keys.const_data_ptr<int64_t>()[row]);
    for (int64_t column = 0; column < width; ++column) {
      const base::PhiloxCounter words =
          base::philox4x32({static_cast<uint32_t>(column / kDropoutColumns), module,
                            static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)},
                           {static_cast<uint32_t>(dropout.seed), static_cast<uint32_t>(dropout.seed >> 32)});
      const uint32_t word = words[static_cast<size_t>(column % kDropoutColumns / 2)];
      const uint32_t bits = column % 2 == 0 ? word & 0xffff : word >> 16;
      factors.data_ptr<float>()[row * width + column] =
          bits >= dropout_threshold(dropout.probability) ? kept : 0.0f;
    }
  }
  return factors;
}

}  // namespace cuset::ops
