// Kernels that sort each row of a matrix, or only find its first elements in order.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"
#include "gym/solutions/cuda_number.h"

namespace cuset::gym {

struct RowSort {
  tasks::NumberType type = tasks::NumberType::kFloat32;
  bool descending = false;
  int64_t columns = 0;
  std::string kept = "columns";  // the size that says how many elements of a row are written
};

// From $x of $rows x $columns to $y of $rows x $kept: a bitonic network in shared memory, the rank of each
// element, odd-even transposition, insertion by one thread a row.
std::vector<GymSolution> row_sort_solutions(const RowSort& work, base::RandomStream& stream);

}  // namespace cuset::gym
