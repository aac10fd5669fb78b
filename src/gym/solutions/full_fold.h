// Kernels that fold a whole array to one number: a single block, two passes over partial results, and for
// sums atomic additions.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"
#include "gym/solutions/cuda_number.h"

namespace cuset::gym {

struct FullFold {
  std::vector<std::string> inputs = {"x"};
  std::string output = "y";
  std::string count = "n";  // the size that says how many elements there are
  std::vector<std::string> scalars = {};
  std::vector<std::string> headers = {};
  tasks::NumberType type = tasks::NumberType::kFloat32;  // that is computed with
  Fold fold = Fold::kSum;
  std::string term = "$x[$i]";
  std::string finish = "$acc";                 // what is written, of the fold $acc
  std::vector<std::string> finish_sizes = {};  // that `finish` uses
  bool linear = true;                          // whether `finish` may be applied to the parts of a sum
};

// Three, and for sums with a linear finish a fourth with atomics.
std::vector<GymSolution> full_fold_solutions(const FullFold& work, base::RandomStream& stream);

}  // namespace cuset::gym
