#include "ops/cpu/dropout_row.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ops/cpu/vector_clones.h"

namespace cuset::ops {
namespace {

constexpr int64_t kBlocks = 32;  // computed side by side, so that one hides the waits of another
constexpr int64_t kRun = kDropoutColumns * kBlocks;

// Word w of 32 Philox blocks is words[w]: in this form, and in steps with the words in memory between them,
// the compiler vectorizes it.
using Words = uint32_t[4][kBlocks];

CUSET_VECTOR_CLONES void mix_words(Words& words, uint32_t k0, uint32_t k1) {
  uint32_t *c0 = words[0], *c1 = words[1], *c2 = words[2], *c3 = words[3];
  for (int round = 0; round < 10; ++round) {
#pragma GCC unroll 1
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
}

// Each word holds the bits of two columns; block after block, word after word.
CUSET_VECTOR_CLONES void compare_words(const Words& words, uint32_t threshold, float kept, float* factors) {
  uint32_t in_order[kBlocks * 4];
  for (int i = 0; i < kBlocks; ++i) {
    for (int word = 0; word < 4; ++word) in_order[i * 4 + word] = words[word][i];
  }
  for (int i = 0; i < kBlocks * 4; ++i) {
    factors[i * 2] = (in_order[i] & 0xffff) >= threshold ? kept : 0.0f;
    factors[i * 2 + 1] = (in_order[i] >> 16) >= threshold ? kept : 0.0f;
  }
}

// Factors of columns first_block * 8 .. + 256.
void factors_of_blocks(const DropoutRow& row, uint32_t first_block, float* factors) {
  Words words;
  for (uint32_t i = 0; i < kBlocks; ++i) {
    words[0][i] = first_block + i;
    words[1][i] = row.module;
    words[2][i] = static_cast<uint32_t>(row.key);
    words[3][i] = static_cast<uint32_t>(row.key >> 32);
  }
  mix_words(words, static_cast<uint32_t>(row.seed), static_cast<uint32_t>(row.seed >> 32));
  compare_words(words, row.threshold, row.kept, factors);
}

}  // namespace

uint32_t dropout_threshold(double probability) {
  return static_cast<uint32_t>(std::llround(probability * 65536));
}

void draw_dropout_factors(const DropoutRow& row, int64_t width, float* factors) {
  int64_t first = 0;
  for (; first + kRun <= width; first += kRun)
    factors_of_blocks(row, static_cast<uint32_t>(first / kDropoutColumns), factors + first);
  if (first == width) return;
  std::array<float, kRun> last;
  factors_of_blocks(row, static_cast<uint32_t>(first / kDropoutColumns), last.data());
  std::copy_n(last.data(), width - first, factors + first);
}

}  // namespace cuset::ops
