// Kernels for scans along the rows of a matrix: every element of $y is what has come of the row of $x so far.
// The scan is a sum, a maximum, or the recurrence y[t] = $decay * y[t-1] + x[t].
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"
#include "gym/solutions/cuda_number.h"

namespace cuset::gym {

struct ScanWork {
  tasks::NumberType type = tasks::NumberType::kFloat32;
  Fold fold = Fold::kSum;
  bool decays = false;     // the recurrence; $decay is a scalar then
  bool exclusive = false;  // the element itself does not count
  std::vector<std::string> scalars = {};
  std::string element = "$x[$row * $columns + $j]";  // what is scanned
  int64_t columns = 0;
};

// From $x to $y, $rows x $columns: a thread per row, a block per row with doubling steps in shared memory, a
// warp per row with shuffles.
std::vector<GymSolution> scan_solutions(const ScanWork& work, base::RandomStream& stream);

// The inclusive or exclusive prefix sum of the vector $x of $n elements: one block that goes from piece to
// piece, a chunk per thread, and blocks whose totals a second kernel scans and a third adds.
std::vector<GymSolution> vector_scan_solutions(tasks::NumberType type, bool exclusive, int64_t n,
                                               base::RandomStream& stream);

}  // namespace cuset::gym
