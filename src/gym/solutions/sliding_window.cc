#include "gym/solutions/sliding_window.h"

#include <fmt/format.h>

#include "gym/solutions/cuda_number.h"

namespace cuset::gym {
namespace {

// Letters of the axes, innermost last.
std::string_view letters(size_t axes) { return std::string_view("zyx").substr(3 - axes); }

std::string product_of(const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) text += (text.empty() ? "$" : " * $") + key;
  return text;
}

// The number of a place, of the numbers along its axes and the sides after the first: "($z * $h + $y) * $w +
// $x".
std::string flat_index(const std::vector<std::string>& places, const std::vector<std::string>& sides) {
  std::string text = places[0];
  for (size_t axis = 1; axis < places.size(); ++axis)
    text =
        fmt::format("{} * ${} + {}", axis == 1 ? text : fmt::format("({})", text), sides[axis], places[axis]);
  return text;
}

}  // namespace

int64_t SlidingWindow::taps_of_all() const {
  int64_t all = 1;
  for (size_t axis = 0; axis < axes.size(); ++axis) all *= taps;
  return all;
}

int64_t SlidingWindow::inputs_of_all() const {
  int64_t all = 1;
  for (const int64_t length : lengths) all *= length;
  return all;
}

std::vector<GymSize> SlidingWindow::sizes() const {
  std::vector<GymSize> sizes;
  for (size_t axis = 0; axis < axes.size(); ++axis) sizes.push_back({axes[axis], lengths[axis]});
  for (size_t axis = 0; axis < axes.size(); ++axis) sizes.push_back({out_axes()[axis], outputs(axis)});
  sizes.push_back({"taps", taps});
  if (stride != 1) sizes.push_back({"stride", stride});
  if (padding != 0) sizes.push_back({"padding", padding});
  if (dilation != 1) sizes.push_back({"dilation", dilation});
  return sizes;
}

std::vector<std::string> SlidingWindow::notes() const {
  std::vector<std::string> notes;
  if (stride != 1) notes.emplace_back("the stride is {stride}");
  if (padding != 0) notes.emplace_back("the padding is {padding} on every side");
  if (dilation != 1) notes.emplace_back("the dilation is {dilation}");
  return notes;
}

std::string SlidingWindow::plane() const { return product_of(axes); }
std::string SlidingWindow::out_plane() const { return product_of(out_axes()); }
std::string SlidingWindow::all_taps() const {
  return product_of(std::vector<std::string>(axes.size(), "taps"));
}

std::vector<std::string> SlidingWindow::out_axes() const {
  std::vector<std::string> keys;
  for (const std::string& axis : axes) keys.push_back("out_" + axis);
  return keys;
}

tasks::Shape SlidingWindow::out_shape() const {
  tasks::Shape shape;
  for (size_t axis = 0; axis < axes.size(); ++axis) shape.push_back(outputs(axis));
  return shape;
}

std::string SlidingWindow::at() const {
  std::vector<std::string> places;
  for (const char letter : letters(axes.size())) places.push_back(fmt::format("$p{}", letter));
  return flat_index(places, axes);
}

std::string SlidingWindow::tap() const {
  std::vector<std::string> places;
  for (const char letter : letters(axes.size())) places.push_back(fmt::format("$d{}", letter));
  return flat_index(places, std::vector<std::string>(axes.size(), "taps"));
}

std::string SlidingWindow::coordinates() const {
  const std::vector<std::string> out = out_axes();
  if (axes.size() == 1) return "";
  if (axes.size() == 2) return fmt::format("int $oy = $p / ${0};\nint $ox = $p % ${0};\n", out[1]);
  return fmt::format("int $oz = $p / (${0} * ${1});\nint $oy = $p / ${1} % ${0};\nint $ox = $p % ${1};\n",
                     out[1], out[2]);
}

std::string SlidingWindow::loops(const std::string& line) const {
  std::string inside;
  std::string positions;
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    const char letter = letters(axes.size())[axis];
    const std::string from = axes.size() == 1 ? "$p" : fmt::format("$o{}", letter);
    positions +=
        fmt::format("int $p{0} = {1}{2}{3} + $d{0}{4};\n", letter, from, stride != 1 ? " * $stride" : "",
                    padding != 0 ? " - $padding" : "", dilation != 1 ? " * $dilation" : "");
    inside += fmt::format("{0}$p{1} >= 0 && $p{1} < ${2}", inside.empty() ? "" : " && ", letter, axes[axis]);
  }
  std::string lines =
      positions + (padding == 0 ? line : fmt::format("if ({}) {{\n{}}}\n", inside, indented(line)));
  for (size_t axis = axes.size(); axis-- > 0;)
    lines = fmt::format("for (int $d{0} = 0; $d{0} < $taps; ++$d{0}) {{\n{1}}}\n", letters(axes.size())[axis],
                        indented(lines));
  return lines;
}

std::string place_in_formula(size_t axes) {
  std::string text = "[n][c]";
  for (const char letter : letters(axes)) text += fmt::format("[{}]", letter);
  return text;
}

}  // namespace cuset::gym
