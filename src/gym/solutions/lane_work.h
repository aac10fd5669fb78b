// Kernels for work on lanes: rows, columns, channels, groups. Each lane is folded to one number or several,
// one after the other (the largest, then a sum), and then a number a lane or one for each of its places is
// written. Row sums, softmax and layer norm are all of this kind.
//
// The texts of a LaneWork are those of a kernel (gym/family.h); lane and place are the local names under
// which they find the number of the lane and the place in it.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"
#include "gym/solutions/cuda_number.h"

namespace cuset::gym {

struct LaneFold {
  std::string key = {};  // the local that holds it: "sum"
  Fold fold = Fold::kSum;
  std::string term = {};  // of one place: "$x[$row * $columns + $j]"
  std::string then = {};  // lines once it is known: "float $mean = $sum / $columns;\n"
};

struct LaneWork {
  std::vector<std::string> arrays = {};
  std::vector<std::string> sizes = {"rows", "columns"};
  std::vector<std::string> scalars = {};
  std::vector<std::string> headers = {};
  tasks::NumberType type = tasks::NumberType::kFloat32;  // that is computed with
  std::string lane = "row";
  std::string lanes = "$rows";
  std::string noun = "row";  // of a lane, for the reasoning
  std::string place = "j";
  std::string length = "$columns";
  bool contiguous = true;  // whether the places of a lane are neighbors in memory
  std::string setup = {};  // lines once the lane is known
  std::vector<LaneFold> folds = {};
  // The folds are the largest term $largest and the sum of exponentials of what is left of it: then one more
  // solution finds both in a single sweep.
  bool is_softmax = false;
  std::string once = {};         // the line that writes a lane's number; empty: none
  std::string each = {};         // the line that writes a place's number; empty: none
  std::string each_length = {};  // how many places are written; empty: `length`
};

// One number for each row of the matrix $x of $rows x $columns, written to $y: the fold `key` of what lies
// there, then `result`, which uses $key.
LaneWork row_work(tasks::NumberType type, Fold fold, const std::string& key, const std::string& result);
// The same for each column.
LaneWork column_work(tasks::NumberType type, Fold fold, const std::string& key, const std::string& result);

// One thread per lane, a block per lane with a tree in shared memory, a warp per lane with shuffles; and for
// a single fold a fourth: warps whose results meet in shared memory, or tiles where neighbors in memory
// belong to different lanes.
std::vector<GymSolution> lane_solutions(const LaneWork& work, base::RandomStream& stream);

}  // namespace cuset::gym
