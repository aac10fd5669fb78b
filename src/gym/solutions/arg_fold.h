// Kernels that find the place of the largest or smallest element of each lane, or of a whole array; of equal
// elements the first one counts.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"
#include "gym/solutions/cuda_number.h"

namespace cuset::gym {

struct ArgFold {
  tasks::NumberType type = tasks::NumberType::kFloat32;  // of $x
  bool largest = true;
  std::vector<std::string> sizes = {"rows", "columns"};
  std::string lane = "row";
  std::string lanes = "$rows";
  std::string noun = "row";
  std::string length = "$columns";
  std::string first = "$row * $columns + ";  // of the lane's elements in $x, before the place
  std::string step = {};                     // between them, after the place: " * $columns + $column"
};

// From $x to $y, whole numbers: a thread, a block or a warp per lane.
std::vector<GymSolution> arg_lane_solutions(const ArgFold& work, base::RandomStream& stream);

// From $x of $n elements to the single $y: one block, two passes over blocks, two passes over threads.
std::vector<GymSolution> arg_full_solutions(tasks::NumberType type, bool largest, base::RandomStream& stream);

}  // namespace cuset::gym
