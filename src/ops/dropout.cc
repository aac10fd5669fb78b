#include "ops/dropout.h"

#include <ATen/Parallel.h>

#include <array>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "ops/dropout_gpu.h"
#include "ops/gpu_stream.h"

// Compiles a loop for the vector instructions of several machines; the right one is chosen at run time.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define CUSET_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define CUSET_VECTOR_CLONES
#endif

namespace cuset {
namespace {

constexpr int64_t kColumns = 8;  // that one Philox block serves
constexpr int64_t kBlocks = 16;  // computed side by side, one vector register per word

uint32_t threshold_of(double probability) { return static_cast<uint32_t>(std::llround(probability * 65536)); }

struct RowMask {
  uint32_t module;
  uint64_t key;
  uint64_t seed;
  uint32_t threshold;
  float factor;  // of what is kept
};

// Factors of columns first_block * 8 .. + 128. Philox in structure-of-arrays form, so that the compiler
// vectorises it.
CUSET_VECTOR_CLONES void factors_of_blocks(const RowMask& mask, uint32_t first_block, float* factors) {
  uint32_t c0[kBlocks], c1[kBlocks], c2[kBlocks], c3[kBlocks];
  for (uint32_t i = 0; i < kBlocks; ++i) {
    c0[i] = first_block + i;
    c1[i] = mask.module;
    c2[i] = static_cast<uint32_t>(mask.key);
    c3[i] = static_cast<uint32_t>(mask.key >> 32);
  }
  auto k0 = static_cast<uint32_t>(mask.seed);
  auto k1 = static_cast<uint32_t>(mask.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < kBlocks; ++i) {
      const uint64_t even = uint64_t{0xD2511F53} * c0[i];
      const uint64_t odd = uint64_t{0xCD9E8D57} * c2[i];
      c0[i] = static_cast<uint32_t>(odd >> 32) ^ c1[i] ^ k0;
      c1[i] = static_cast<uint32_t>(odd);
      c2[i] = static_cast<uint32_t>(even >> 32) ^ c3[i] ^ k1;
      c3[i] = static_cast<uint32_t>(even);
    }
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  for (int i = 0; i < kBlocks; ++i) {
    const std::array<uint32_t, 4> words = {c0[i], c1[i], c2[i], c3[i]};
    for (int word = 0; word < 4; ++word) {
      float* out = factors + i * kColumns + word * 2;
      out[0] = (words[static_cast<size_t>(word)] & 0xffff) >= mask.threshold ? mask.factor : 0.0f;
      out[1] = (words[static_cast<size_t>(word)] >> 16) >= mask.threshold ? mask.factor : 0.0f;
    }
  }
}

// y may be x.
void drop_row(const float* x, float* y, int64_t width, const RowMask& mask) {
  std::array<float, kBlocks * kColumns> factors;
  for (int64_t first = 0; first < width; first += kBlocks * kColumns) {
    factors_of_blocks(mask, static_cast<uint32_t>(first / kColumns), factors.data());
    const int64_t count = std::min(width - first, kBlocks * kColumns);
    for (int64_t i = 0; i < count; ++i) y[first + i] = x[first + i] * factors[static_cast<size_t>(i)];
  }
}

void drop_rows_on_cpu(const torch::Tensor& x, torch::Tensor& y, const Dropout& dropout, uint32_t module) {
  const int64_t width = x.size(1);
  const auto* from = x.const_data_ptr<float>();
  auto* to = y.data_ptr<float>();
  const auto* keys = dropout.row_keys.const_data_ptr<int64_t>();
  const uint32_t threshold = threshold_of(dropout.probability);
  const auto factor = static_cast<float>(1 / (1 - dropout.probability));
  at::parallel_for(0, x.size(0), 16, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      drop_row(from + row * width, to + row * width, width,
               {module, static_cast<uint64_t>(keys[row]), dropout.seed, threshold, factor});
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
  const auto type = x.scalar_type() == torch::kFloat64 ? torch::kFloat64 : torch::kFloat32;
  y.copy_(x.to(type) * dropout_factors_reference(dropout, module, x.size(1)).to(x.device(), type));
}

}  // namespace

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
      const PhiloxCounter words =
          philox4x32({static_cast<uint32_t>(column / kColumns), module, static_cast<uint32_t>(key),
                      static_cast<uint32_t>(key >> 32)},
                     {static_cast<uint32_t>(dropout.seed), static_cast<uint32_t>(dropout.seed >> 32)});
      const uint32_t word = words[static_cast<size_t>(column % kColumns / 2)];
      const uint32_t bits = column % 2 == 0 ? word & 0xffff : word >> 16;
      factors.data_ptr<float>()[row * width + column] =
          bits >= threshold_of(dropout.probability) ? kept : 0.0f;
    }
  }
  return factors;
}

}  // namespace cuset
