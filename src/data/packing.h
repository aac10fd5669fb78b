// Packing: joins examples of different lengths into packs of at most a given number of tokens, without
// padding.
//
// Best fit decreasing: longest first, each example into the fullest pack that still has room for it. No more
// than 11/9 of the fewest packs possible (Johnson et al., "Worst-case performance bounds for simple
// one-dimensional packing algorithms", SIAM J. Comput. 1974), plus a few; on real data the loss is far below
// one percent. O(n log n).
//
// The seed decides which of the examples of equal length goes where and the order of the packs, so epochs
// differ while a run can be repeated. Which lengths meet in a pack is the same for every seed. A pack keeps
// its examples' borders, because attention, positions and windows never cross them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/stats/random.h"

namespace cuset::data {

struct Pack {
  std::vector<size_t> examples;  // indices of the lengths given
  std::vector<size_t> borders;   // [examples + 1], running sums: example i is tokens borders[i]..borders[i+1]

  size_t tokens() const { return borders.empty() ? 0 : borders.back(); }
};

// Every index of `lengths` occurs in exactly one pack. Throws Error if a length is 0 or over `capacity`.
std::vector<Pack> pack_examples(std::span<const size_t> lengths, size_t capacity, base::RandomStream stream);

// Tokens held over tokens that would fit, in (0, 1]; 1 where there are no packs.
double packing_efficiency(std::span<const Pack> packs, size_t capacity);

}  // namespace cuset::data
