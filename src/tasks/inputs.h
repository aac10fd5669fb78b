// The inputs of one trial: fresh values from the task's domains, the same for the same seed on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/stats/random.h"
#include "tasks/task.h"

namespace cuset::tasks {

// Every variation keeps the support of a domain (what is a probability stays one, labels stay below n) and
// the order of magnitude, so that tolerances keep their meaning; it changes how the values are spread.
enum class Variation : uint8_t {
  kPlain,          // as the task says
  kScaled,         // a random factor between 1/8 and 2
  kShifted,        // around another center
  kHeavyTailed,    // few large values among many small ones
  kZerosAndSigns,  // a quarter exact zeros, the rest with random signs where the domain has both
  // The low or the high side of the domain alone, with what loose code gets wrong: ties and near ties at its
  // end, halves, zeros of both signs, tiny numbers.
  kLowEdge,
  kHighEdge,
};
inline constexpr int kVariations = 7;
inline constexpr int kSpreads = 5;  // without the edges
inline bool is_edge(Variation variation) {
  return variation == Variation::kLowEdge || variation == Variation::kHighEdge;
}

std::string_view name_of(Variation variation);  // "heavy_tailed"
std::optional<Variation> variation_named(std::string_view name);

// One array for each of task.inputs, in order, of a task without a script of its own. Throws Error where its
// domains cannot give them, naming the place.
std::vector<Array> make_inputs(const Task& task, Variation variation, const base::RandomStream& stream);

}  // namespace cuset::tasks
