// Kernels for tasks whose output is a matrix, or several of the same shape, with one computation per element
// that needs to know its row and column: a flat grid, blocks of two dimensions, a block per row, a grid that
// strides, a thread per column.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"

namespace cuset::gym {

struct PlaneWork {
  std::vector<std::string> arrays = {};
  std::vector<std::string> sizes = {"rows", "columns"};
  std::vector<std::string> scalars = {};
  std::string rows = "$rows";
  std::string columns = "$columns";
  std::string planes = {};     // how many such matrices; empty: one
  std::string lines = {};      // statements that use $row and $column, and $plane where there are several
  std::string functions = {};  // that the lines call
  std::string noun = "element of the output";
  std::vector<std::string> headers = {};
};

// Four solutions, five for a single plane.
std::vector<GymSolution> plane_solutions(const PlaneWork& work, base::RandomStream& stream);

// Blocks of two dimensions alone, with empty lines to be filled: the frame of a solution of one's own. Its
// block has $wide x $high threads; $row and $column are declared, and nothing is guarded.
GymSolution plane_frame(const PlaneWork& work, const std::string& style, int64_t wide, int64_t high);

// "$row < $rows && $column < $columns"
std::string inside_plane(const PlaneWork& work);

}  // namespace cuset::gym
