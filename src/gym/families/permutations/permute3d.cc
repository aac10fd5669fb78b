// The axes of a tensor in another order.
#include <fmt/format.h>
#include <array>

#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_permute3d(base::RandomStream& stream) {
  using Order = std::array<size_t, 3>;
  const Order order = one_of<Order>(stream, {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}});
  const std::array<std::string, 3> sides = {"d0", "d1", "d2"};
  const std::array<int64_t, 3> shape = {whole_between(stream, 6, 30), whole_between(stream, 6, 30),
                                        whole_between(stream, 6, 40)};
  GymDraft draft;
  draft.titles = {
      fmt::format("$x with its axes in the order ({}, {}, {})", order[0], order[1], order[2]),
      fmt::format("the permutation ({}, {}, {}) of the axes of $x", order[0], order[1], order[2]),
      fmt::format("a three-dimensional transposition to axes ({}, {}, {})", order[0], order[1], order[2]),
      fmt::format("the tensor $x permuted by ({}, {}, {})", order[0], order[1], order[2])};
  const std::array<std::string, 3> letters = {"a", "b", "c"};
  draft.formula =
      fmt::format("$y[{}][{}][{}] = $x[a][b][c]", letters[order[0]], letters[order[1]], letters[order[2]]);
  for (size_t axis = 0; axis < 3; ++axis) draft.sizes.push_back({sides[axis], shape[axis]});
  draft.inputs = {
      {"x", tasks::NumberType::kFloat32, {shape[0], shape[1], shape[2]}, {"d0", "d1", "d2"}, normal(), {}}};
  draft.outputs = {{"y",
                    tasks::NumberType::kFloat32,
                    {shape[order[0]], shape[order[1]], shape[order[2]]},
                    {sides[order[0]], sides[order[1]], sides[order[2]]},
                    {},
                    {1e-7, 1e-6}}};
  draft.oracle = {"transpose", {{"permutation", {order[0], order[1], order[2]}}}, ""};
  // What $plane, $row and $column, the places of the output, are in $x.
  std::array<std::string, 3> places;
  const std::array<std::string, 3> names = {"$plane", "$row", "$column"};
  for (size_t axis = 0; axis < 3; ++axis) places[order[axis]] = names[axis];
  draft.solutions = plane_solutions(
      {.arrays = {"x", "y"},
       .sizes = {"d0", "d1", "d2"},
       .rows = "$" + sides[order[1]],
       .columns = "$" + sides[order[2]],
       .planes = "$" + sides[order[0]],
       .lines = fmt::format(
           "int $from = ({} * $d1 + {}) * $d2 + {};\n$y[($plane * ${} + $row) * ${} + $column] = $x[$from];\n",
           places[0], places[1], places[2], sides[order[1]], sides[order[2]])},
      stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_permute3d;
const GymFamily kFamily_permute3d = {"permute3d", "permutations", draw_permute3d};

}  // namespace cuset::gym
