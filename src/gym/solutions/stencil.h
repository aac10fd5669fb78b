// Kernels for tasks in which an element comes from its neighbors in a matrix: straight from global memory in
// the ways of plane.h, and from a tile in shared memory with a rim of one.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"

namespace cuset::gym {

struct StencilWork {
  // What lies beyond the rim of $x: zeros, the nearest element, or nothing is read there since the border of
  // $y is that of $x, or 0.
  enum class Border : uint8_t { kZeros, kNearest, kCopied, kCleared };

  Border border = Border::kZeros;
  std::vector<std::string> scalars = {};
  // The new element, of elements written as "@[dy,dx]" with -1, 0 or 1 each: "@[-1,0] + @[1,0]".
  std::string value = {};
  std::string lines = {};  // statements before it, likewise
};

// From $x to $y, both float32 of $rows x $columns. Five solutions.
std::vector<GymSolution> stencil_solutions(const StencilWork& work, base::RandomStream& stream);

// The code of a formula of the oracles' language with "@[dy,dx]" and `{alpha}` in it.
std::string stencil_code(const std::string& formula);
// The same value for the oracle "loops": `value` is a formula with the same "@[dy,dx]".
std::string stencil_formula(StencilWork::Border border, const std::string& value);
// For the prompt: "$x[i - 1][j]".
std::string stencil_prose(const std::string& value);
// A neighbor's index: "$row", "$row - 1", "$row + 1".
std::string moved(const std::string& name, int by);
// "outside of $x there are zeros"
std::string border_note(StencilWork::Border border);

}  // namespace cuset::gym
