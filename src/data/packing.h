// Packing: joins examples of different lengths into batches of at most a given number of tokens without
// padding.
//
// Best fit: longest first, each example into the fullest pack that still has room. Examples of equal length,
// and the packs at the end, are put into a random order that the seed decides, so epochs differ while a run
// can be repeated. A pack keeps its samples' borders, because attention, positions and windows never cross
// them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"

namespace cuset {

struct Pack {
  std::vector<size_t> examples;  // indices of the lengths given
  std::vector<size_t>
      borders;  // [examples + 1], running sums of lengths: example i is tokens borders[i]..borders[i+1]

  size_t tokens() const { return borders.empty() ? 0 : borders.back(); }
};

// Every index of `lengths` occurs in exactly one pack. Throws Error if a length is 0 or over `capacity`.
std::vector<Pack> pack_examples(std::span<const size_t> lengths, size_t capacity, RandomStream stream);

// Tokens held over tokens that would fit, in (0, 1].
double packing_efficiency(std::span<const Pack> packs, size_t capacity);

}  // namespace cuset
