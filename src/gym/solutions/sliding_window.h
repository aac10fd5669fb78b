// A window that slides over the last axes of an array: the sizes of what it gives, and the loops over it in a
// kernel that computes one output at the place $p of its plane.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"

namespace cuset::gym {

struct SlidingWindow {
  std::vector<std::string> axes = {
      "width"};                       // keys of the sizes it slides over, outermost first; at most three
  std::vector<int64_t> lengths = {};  // of the axes
  int64_t taps = 3;                   // along each axis
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;

  int64_t outputs(size_t axis) const {
    return (lengths[axis] + 2 * padding - dilation * (taps - 1) - 1) / stride + 1;
  }
  int64_t taps_of_all() const;
  int64_t inputs_of_all() const;

  // {"height", ..}, {"out_height", ..}, taps, and stride, padding and dilation where they are not the usual
  // ones.
  std::vector<GymSize> sizes() const;
  // "stride 2 and padding 1"; empty where all are the usual ones.
  std::vector<std::string> notes() const;

  // "$height * $width" and "$out_height * $out_width"
  std::string plane() const;
  std::string out_plane() const;
  std::vector<std::string> out_axes() const;
  tasks::Shape out_shape() const;
  std::string all_taps() const;  // "$taps * $taps"

  // Where the window's place lies in its plane, and the number of the tap: for the line of the loops below.
  std::string at() const;
  std::string tap() const;
  // Lines that find the output's coordinates from $p.
  std::string coordinates() const;
  // Loops over the window around `line`, which runs only for places inside the array.
  std::string loops(const std::string& line) const;
};

// "[n][c][y][x]" for two axes: indices of formulas.
std::string place_in_formula(size_t axes);

}  // namespace cuset::gym
