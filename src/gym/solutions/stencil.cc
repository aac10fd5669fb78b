#include "gym/solutions/stencil.h"

#include <fmt/format.h>

#include "gym/solutions/cuda_number.h"
#include "gym/solutions/draws.h"
#include "gym/solutions/formula.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

using Border = StencilWork::Border;

// `text` with every "@[dy,dx]" replaced.
template <typename Element>
std::string with_neighbors(std::string_view text, const Element& element) {
  std::string result;
  for (size_t at = text.find("@["); at != std::string_view::npos; at = text.find("@[")) {
    const size_t comma = text.find(',', at);
    const size_t end = text.find(']', at);
    result += text.substr(0, at);
    result += element(std::stoi(std::string(text.substr(at + 2, comma - at - 2))),
                      std::stoi(std::string(text.substr(comma + 1, end - comma - 1))));
    text.remove_prefix(end + 1);
  }
  return result + std::string(text);
}

bool reads_inside(Border border) { return border == Border::kCopied || border == Border::kCleared; }

// Reads $x anywhere.
std::string reading_function(Border border) {
  const std::string head = "__device__ float $at(const float* $p, int $r, int $c, int $h, int $w) {\n";
  if (border == Border::kNearest)
    return head +
           "  $r = min(max($r, 0), $h - 1);\n  $c = min(max($c, 0), $w - 1);\n  return $p[$r * $w + $c];\n}\n";
  return head +
         "  if ($r < 0 || $r >= $h || $c < 0 || $c >= $w) return 0.0f;\n  return $p[$r * $w + $c];\n}\n";
}

std::string from_global(Border border, std::string_view text) {
  return with_neighbors(text, [&](int dy, int dx) {
    const std::string row = moved("$row", dy);
    const std::string column = moved("$column", dx);
    if (!reads_inside(border)) return fmt::format("$at($x, {}, {}, $rows, $columns)", row, column);
    return fmt::format("$x[{} * $columns + {}]", dy == 0 ? row : "(" + row + ")", column);
  });
}

std::string from_tile(std::string_view text) {
  return with_neighbors(
      text, [](int dy, int dx) { return fmt::format("$tile[{}][{}]", moved("$ty", dy), moved("$tx", dx)); });
}

// What is done at $row, $column, given how neighbors are read.
template <typename Read>
std::string element_lines(const StencilWork& work, const Read& read) {
  const std::string target = "$y[$row * $columns + $column] = ";
  std::string lines = read(work.lines) + target + read(work.value) + ";\n";
  if (!reads_inside(work.border)) return lines;
  const std::string otherwise = work.border == Border::kCopied ? read("@[0,0]") : "0.0f";
  return "if ($row > 0 && $row < $rows - 1 && $column > 0 && $column < $columns - 1) {\n" + indented(lines) +
         "} else {\n  " + target + otherwise + ";\n}\n";
}

// The tile and its rim are read by all threads of the block, then every element is computed from the tile.
GymSolution tiled(const StencilWork& work, const PlaneWork& plane, base::RandomStream& stream) {
  const int64_t side = power_between(stream, 8, 16);
  GymSolution result = plane_frame(plane, "shared_tile", side, side);
  result.constants = {{"side", side}};
  result.functions = reading_function(work.border);
  result.kernels[0].grid = "dim3(($columns + $side - 1) / $side, ($rows + $side - 1) / $side)";
  result.kernels[0].block = "dim3($side, $side)";
  result.kernels[0].body =
      "__shared__ float $tile[$side + 2][$side + 2];\n" + result.kernels[0].body +
      "for (int $k = threadIdx.y * $side + threadIdx.x; $k < ($side + 2) * ($side + 2); $k += $side * $side) {\n"
      "  int $r = $k / ($side + 2), $c = $k % ($side + 2);\n"
      "  $tile[$r][$c] = $at($x, blockIdx.y * $side + $r - 1, blockIdx.x * $side + $c - 1, $rows, $columns);\n"
      "}\n"
      "__syncthreads();\n"
      "if ($row >= $rows || $column >= $columns) return;\n"
      "int $tx = threadIdx.x + 1, $ty = threadIdx.y + 1;\n" +
      element_lines(work, from_tile);
  result.reasoning = {
      "blocks of $side x $side threads cover $y, one thread per element", "",
      "each block copies its tile of $x and a rim of one into shared memory, so that neighbors are "
      "read from global memory once; a barrier separates loading from computing"};
  return result;
}

}  // namespace

std::string moved(const std::string& name, int by) {
  if (by == 0) return name;
  return fmt::format("{} {} {}", name, by < 0 ? '-' : '+', by < 0 ? -by : by);
}

std::vector<GymSolution> stencil_solutions(const StencilWork& work, base::RandomStream& stream) {
  PlaneWork plane;
  plane.arrays = {"x", "y"};
  plane.scalars = work.scalars;
  plane.lines = element_lines(work, [&](std::string_view text) { return from_global(work.border, text); });
  if (!reads_inside(work.border)) plane.functions = reading_function(work.border);
  std::vector<GymSolution> solutions = plane_solutions(plane, stream);
  solutions.pop_back();
  solutions.push_back(tiled(work, plane, stream));
  return solutions;
}

std::string stencil_code(const std::string& formula) {
  const std::string named =
      with_neighbors(formula, [](int dy, int dx) { return fmt::format("$near_{}_{}", dy + 1, dx + 1); });
  return with_elements(
      formula_code(named, cuda_number(tasks::NumberType::kFloat32)),
      [](const std::string& key) { return fmt::format("@[{},{}]", key[5] - '1', key[7] - '1'); });
}

std::string stencil_formula(Border border, const std::string& value) {
  std::string text = with_neighbors(value, [&](int dy, int dx) {
    if (border != Border::kNearest) return fmt::format("$x[{}, {}]", moved("i0", dy), moved("i1", dx));
    return fmt::format("$x[min(max({}, 0), {{rows}} - 1), min(max({}, 0), {{columns}} - 1)]", moved("i0", dy),
                       moved("i1", dx));
  });
  if (!reads_inside(border)) return text;
  return fmt::format("where((i0 > 0) * (i0 < {{rows}} - 1) * (i1 > 0) * (i1 < {{columns}} - 1), {}, {})",
                     text, border == Border::kCopied ? "$x[i0, i1]" : "0");
}

std::string stencil_prose(const std::string& value) {
  std::string text = with_neighbors(
      value, [](int dy, int dx) { return fmt::format("$x[{}][{}]", moved("i", dy), moved("j", dx)); });
  for (size_t open = text.find('{'); open != std::string::npos; open = text.find('{')) {
    text[open] = '$';
    text.erase(text.find('}', open), 1);
  }
  return text;
}

std::string border_note(Border border) {
  switch (border) {
    case Border::kZeros:
      return "elements outside of $x count as 0";
    case Border::kNearest:
      return "outside of $x the nearest element of its border counts";
    case Border::kCopied:
      return "the border of $y is that of $x";
    case Border::kCleared:
      return "the border of $y is 0";
  }
  return {};
}

}  // namespace cuset::gym
