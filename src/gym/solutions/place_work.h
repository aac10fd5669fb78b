// Kernels in which each place of the output is computed alone: convolutions, pools, updates of a matrix.
// Places form planes (a row, a channel of an image), and a plane may have a slice of one input that all its
// places read.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"

namespace cuset::gym {

struct PlaceWork {
  std::vector<std::string> arrays = {};
  std::vector<std::string> sizes = {};
  std::vector<std::string> scalars = {};
  std::vector<std::string> headers = {};
  std::string planes = {};       // how many: "$batch * $filters"
  std::string places = {};       // of one plane: "$width"
  std::string plane = "plane";   // the local name of a plane's number
  std::string place = "p";       // and of a place's in it
  std::string noun = "plane";    // of a plane, for the reasoning
  std::string plane_lines = {};  // once the plane is known: "int $o = $plane % $filters;\n"
  std::string lines = {};        // compute and write a place; they read the slice as "@[index]"
  std::string slice = {};        // the input that the slice is of: "weight"; empty: none
  std::string slice_first = {};  // where it begins: "$o * $channels * $taps"
  int64_t slice_size = 0;
};

// A thread per place, a grid that strides over all, a grid of planes and places, a block per plane with the
// slice in shared memory.
std::vector<GymSolution> place_solutions(const PlaceWork& work, base::RandomStream& stream);

}  // namespace cuset::gym
