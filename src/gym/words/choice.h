// Draws one thing of several.
#pragma once

#include <initializer_list>
#include <span>
#include <utility>

#include "base/stats/random.h"

namespace cuset::gym {

template <typename T>
const T& one_of(base::RandomStream& stream, std::span<const T> choices) {
  return choices[stream.below(choices.size())];
}

template <typename T>
T one_of(base::RandomStream& stream, std::initializer_list<T> choices) {
  return choices.begin()[stream.below(choices.size())];
}

// The chance of a choice is its weight over the sum of all.
template <typename T>
T weighted(base::RandomStream& stream, std::span<const std::pair<T, uint64_t>> choices) {
  uint64_t sum = 0;
  for (const auto& [choice, weight] : choices) sum += weight;
  uint64_t drawn = stream.below(sum);
  for (const auto& [choice, weight] : choices) {
    if (drawn < weight) return choice;
    drawn -= weight;
  }
  return choices.begin()->first;
}

template <typename T>
T weighted(base::RandomStream& stream, std::initializer_list<std::pair<T, uint64_t>> choices) {
  return weighted<T>(stream, std::span(choices.begin(), choices.size()));
}

}  // namespace cuset::gym
