#include "ops/dropout_row.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ops/vector_clones.h"

namespace cuset {
namespace {

constexpr int64_t kColumns = 8;  // that one Philox block serves
constexpr int64_t kBlocks = 16;  // computed side by side, one vector register per word
constexpr int64_t kRun = kColumns * kBlocks;

// Factors of columns first_block * 8 .. + 128. Philox in structure-of-arrays form, so that the compiler
// vectorises it.
CUSET_VECTOR_CLONES void factors_of_blocks(const DropoutRow& row, uint32_t first_block, float* factors) {
  uint32_t c0[kBlocks], c1[kBlocks], c2[kBlocks], c3[kBlocks];
  for (uint32_t i = 0; i < kBlocks; ++i) {
    c0[i] = first_block + i;
    c1[i] = row.module;
    c2[i] = static_cast<uint32_t>(row.key);
    c3[i] = static_cast<uint32_t>(row.key >> 32);
  }
  auto k0 = static_cast<uint32_t>(row.seed);
  auto k1 = static_cast<uint32_t>(row.seed >> 32);
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
      out[0] = (words[static_cast<size_t>(word)] & 0xffff) >= row.threshold ? row.kept : 0.0f;
      out[1] = (words[static_cast<size_t>(word)] >> 16) >= row.threshold ? row.kept : 0.0f;
    }
  }
}

}  // namespace

uint32_t dropout_threshold(double probability) {
  return static_cast<uint32_t>(std::llround(probability * 65536));
}

void draw_dropout_factors(const DropoutRow& row, int64_t width, float* factors) {
  int64_t first = 0;
  for (; first + kRun <= width; first += kRun)
    factors_of_blocks(row, static_cast<uint32_t>(first / kColumns), factors + first);
  if (first == width) return;
  std::array<float, kRun> last;
  factors_of_blocks(row, static_cast<uint32_t>(first / kColumns), last.data());
  std::copy_n(last.data(), width - first, factors + first);
}

}  // namespace cuset
