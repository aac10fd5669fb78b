#include "gym/solutions/used_parameters.h"

#include <algorithm>

#include "gym/words/spelling.h"

namespace cuset::gym {

void keep_used_parameters(std::vector<GymSolution>& solutions) {
  for (GymSolution& solution : solutions) {
    for (GymKernel& kernel : solution.kernels) {
      const std::vector<std::string> used = keys_in(kernel.body);
      const auto is_unused = [&](const std::string& key) {
        return std::find(used.begin(), used.end(), key) == used.end();
      };
      std::erase_if(kernel.sizes, is_unused);
      std::erase_if(kernel.scalars, is_unused);
    }
  }
}

}  // namespace cuset::gym
