// All pairs of two vectors: their products, sums, differences or larger ones.
#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/formula.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

struct Pairing {
  std::string noun = {};     // "product"
  std::string formula = {};  // of $a and $b
};

GymDraft draw_outer(base::RandomStream& stream) {
  const Pairing pairing = one_of<Pairing>(stream, {{"product", "$a * $b"},
                                                   {"sum", "$a + $b"},
                                                   {"difference", "$a - $b"},
                                                   {"squared difference", "($a - $b) * ($a - $b)"},
                                                   {"maximum", "max($a, $b)"}});
  const int64_t rows = whole_between(stream, 24, 160);
  const int64_t columns = whole_between(stream, 24, 160);
  GymDraft draft;
  draft.titles = {fmt::format("the outer {} of $a and $b", pairing.noun),
                  fmt::format("the {} of every element of $a and every element of $b", pairing.noun),
                  fmt::format("the matrix of all pairs' {}s", pairing.noun),
                  fmt::format("a table of the {} of $a[i] and $b[j]", pairing.noun)};
  const auto place = [](const std::string& key) { return key == "a" ? "$a[$row]" : "$b[$column]"; };
  draft.formula = "$y[i][j] = " + with_arrays(pairing.formula, {{"a", "$a[i]"}, {"b", "$b[j]"}});
  draft.sizes = {{"rows", rows}, {"columns", columns}};
  draft.inputs = {{"a", tasks::NumberType::kFloat32, {rows}, {"rows"}, normal(), {}},
                  {"b", tasks::NumberType::kFloat32, {columns}, {"columns"}, normal(), {}}};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {rows, columns}, {"rows", "columns"}, {}, {1e-6, 1e-5}}};
  draft.oracle = {
      "loops", {{"expression", with_arrays(pairing.formula, {{"a", "$a[i0]"}, {"b", "$b[i1]"}})}}, ""};
  const std::string value = formula_code(pairing.formula, cuda_number(tasks::NumberType::kFloat32));
  draft.solutions =
      plane_solutions({.arrays = {"a", "b", "y"},
                       .lines = "$y[$row * $columns + $column] = " + with_elements(value, place) + ";\n"},
                      stream);
  GymSolution shared = plane_frame({.arrays = {"a", "b", "y"}}, "shared_vectors", 16, 16);
  shared.kernels[0].body = "__shared__ float $left[$high], $top[$wide];\n" + shared.kernels[0].body +
                           "if (threadIdx.x == 0 && $row < $rows) $left[threadIdx.y] = $a[$row];\n"
                           "if (threadIdx.y == 0 && $column < $columns) $top[threadIdx.x] = $b[$column];\n"
                           "__syncthreads();\n"
                           "if ($row < $rows && $column < $columns)\n"
                           "  $y[$row * $columns + $column] = " +
                           with_elements(value,
                                         [](const std::string& key) {
                                           return key == "a" ? "$left[threadIdx.y]" : "$top[threadIdx.x]";
                                         }) +
                           ";\n";
  shared.reasoning = {"blocks of $wide x $high threads cover $y, one thread per pair", "",
                      "the parts of $a and $b that a block needs are read once into shared memory"};
  draft.solutions.push_back(shared);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_outer;
const GymFamily kFamily_outer = {"outer", "broadcasting", draw_outer};

}  // namespace cuset::gym
