// A whole draft from one formula: every element of $y is that formula of the elements of the inputs.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"
#include "gym/solutions/draws.h"

namespace cuset::gym {

struct ElementwiseInput {
  std::string key = "x";
  tasks::Domain domain = {};
};

struct Elementwise {
  std::vector<std::string> titles = {};
  std::string formula = {};  // in the oracles' language: "max($x, {alpha} * $x)"
  std::vector<std::string> notes = {};
  std::vector<GymScalar> scalars = {};  // each is told by a note too
  std::vector<ElementwiseInput> inputs = {{}};
  tasks::NumberType type = tasks::NumberType::kFloat32;  // float16: stored so, computed in float
  std::string lines = {};  // the code, where it is not the formula's: MapWork's lines and value
  std::string value = {};
};

GymDraft elementwise_draft(const Elementwise& what, base::RandomStream& stream);

// Loose enough for any right order of operations, tight enough to catch the next smaller type.
tasks::Tolerance usual_tolerance(tasks::NumberType type);

// Mostly float32, now and then float64.
tasks::NumberType draw_floating(base::RandomStream& stream);

// A multiple of 1/steps from low to high.
double draw_constant(base::RandomStream& stream, double low, double high, int64_t steps = 20);

}  // namespace cuset::gym
