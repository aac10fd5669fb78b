// A draft from the formulas of an optimizer: parameters, their gradient and some state, of which parameters
// and state come out new under the names with `_out`.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"
#include "gym/solutions/elementwise.h"

namespace cuset::gym {

struct OptimizerStep {
  std::vector<std::string> titles = {};
  std::vector<GymScalar> scalars = {};
  std::vector<ElementwiseInput> states = {};
  std::vector<std::string> formulas = {};  // of $param_out and of each new state, for the oracle
  std::string prose = {};                  // the same for the prompt
  std::string lines = {};                  // the same in code: MapWork's lines and values
  std::vector<std::string> values = {};
};

GymDraft optimizer_draft(const OptimizerStep& step, base::RandomStream& stream);

}  // namespace cuset::gym
