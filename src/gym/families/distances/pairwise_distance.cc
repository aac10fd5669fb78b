// The distance of every row of one matrix to every row of another: squared, absolute, or the largest
// difference.
#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

struct Metric {
  std::string name = {};
  std::string term = {};  // of the difference D
  std::string step = {};  // how a term is folded into $sum
  std::string op = {};
};

// Tiles of both matrices in shared memory, as in a matrix product.
GymSolution tiled(const Metric& metric, const PlaneWork& plane) {
  GymSolution result = plane_frame(plane, "shared_tiles", 16, 16);
  result.constants = {{"side", 16}};
  result.kernels[0].grid = "dim3(($columns + $side - 1) / $side, ($rows + $side - 1) / $side)";
  result.kernels[0].block = "dim3($side, $side)";
  result.kernels[0].body =
      "__shared__ float $ta[$side][$side], $tb[$side][$side + 1];\n" + result.kernels[0].body +
      "int $tx = threadIdx.x, $ty = threadIdx.y;\n"
      "int $other = blockIdx.x * $side + $ty;\n"
      "float $sum = 0.0f;\n"
      "for (int $base = 0; $base < $dim; $base += $side) {\n"
      "  int $k = $base + $tx;\n"
      "  $ta[$ty][$tx] = $row < $rows && $k < $dim ? $a[$row * $dim + $k] : 0.0f;\n"
      "  $tb[$ty][$tx] = $other < $columns && $k < $dim ? $b[$other * $dim + $k] : 0.0f;\n"
      "  __syncthreads();\n"
      "  for (int $j = 0; $j < $side; ++$j) {\n"
      "    float $d = $ta[$ty][$j] - $tb[$tx][$j];\n"
      "    " +
      metric.step +
      "\n"
      "  }\n"
      "  __syncthreads();\n"
      "}\n"
      "if ($row < $rows && $column < $columns) $y[$row * $columns + $column] = $sum;\n";
  result.reasoning = {"blocks of $side x $side threads cover $y, one thread per pair of rows",
                      "each thread folds the differences in a register",
                      "tiles of $a and $b pass through shared memory, so that each number is read once per "
                      "block; places beyond the end are "
                      "0 in both tiles and add nothing"};
  return result;
}

GymDraft draw_pairwise_distance(base::RandomStream& stream) {
  const Metric metric =
      one_of<Metric>(stream, {{"squared Euclidean", "(D) * (D)", "$sum += $d * $d;", "sum"},
                              {"Manhattan", "abs(D)", "$sum += fabsf($d);", "sum"},
                              {"Chebyshev", "abs(D)", "$sum = fmaxf($sum, fabsf($d));", "max"}});
  const int64_t rows = whole_between(stream, 16, 80);
  const int64_t columns = whole_between(stream, 16, 80);
  const int64_t dim = whole_between(stream, 4, 48);
  GymDraft draft;
  draft.titles = {fmt::format("the {} distances between all rows of $a and $b", metric.name),
                  fmt::format("a matrix of {} distances", metric.name),
                  fmt::format("the pairwise {} distance of two sets of points", metric.name),
                  fmt::format("for each pair of rows of $a and $b their {} distance", metric.name)};
  draft.formula = metric.op == "max"           ? "$y[i][j] = max over k of |$a[i][k] - $b[j][k]|"
                  : metric.name == "Manhattan" ? "$y[i][j] = sum over k of |$a[i][k] - $b[j][k]|"
                                               : "$y[i][j] = sum over k of ($a[i][k] - $b[j][k])^2";
  draft.sizes = {{"rows", rows}, {"columns", columns}, {"dim", dim}};
  draft.inputs = {{"a", tasks::NumberType::kFloat32, {rows, dim}, {"rows", "dim"}, normal(), {}},
                  {"b", tasks::NumberType::kFloat32, {columns, dim}, {"columns", "dim"}, normal(), {}}};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {rows, columns}, {"rows", "columns"}, {}, {2e-5, 5e-5}}};
  std::string term = metric.term;
  for (size_t at = term.find('D'); at != std::string::npos; at = term.find('D'))
    term.replace(at, 1, "$a[i0, k0] - $b[i1, k0]");
  draft.oracle = {"loops", {{"expression", term}, {"over", {dim}}, {"op", metric.op}}, ""};
  PlaneWork work{.arrays = {"a", "b", "y"}, .sizes = {"rows", "columns", "dim"}, .noun = "pair of rows"};
  work.lines =
      "float $sum = 0.0f;\n"
      "for (int $k = 0; $k < $dim; ++$k) {\n"
      "  float $d = $a[$row * $dim + $k] - $b[$column * $dim + $k];\n"
      "  " +
      metric.step +
      "\n"
      "}\n"
      "$y[$row * $columns + $column] = $sum;\n";
  draft.solutions = plane_solutions(work, stream);
  draft.solutions.resize(3);
  draft.solutions.push_back(tiled(metric, work));
  return draft;
}

}  // namespace

extern const GymFamily kFamily_pairwise_distance;
const GymFamily kFamily_pairwise_distance = {"pairwise_distance", "distances", draw_pairwise_distance};

}  // namespace cuset::gym
