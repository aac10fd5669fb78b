// One half of a layer gates the other: SwiGLU, GEGLU, ReGLU and GLU.
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/formula.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

struct Gate {
  std::string name = {};
  std::string formula = {};  // of $g, the gate
};

GymDraft draw_gated_unit(base::RandomStream& stream) {
  const Gate gate = one_of<Gate>(stream, {{"SwiGLU", "$g / (1 + exp(-$g))"},
                                          {"GEGLU", "0.5 * $g * (1 + erf($g * 0.70710678))"},
                                          {"ReGLU", "max($g, 0)"},
                                          {"GLU", "1 / (1 + exp(-$g))"}});
  if (one_in(stream, 2)) {
    Elementwise what;
    what.inputs = {{"gate", normal()}, {"x", normal()}};
    what.titles = {"the " + gate.name + " gate of $gate applied to $x",
                   "$x gated by $gate as in " + gate.name, "a " + gate.name + " unit of two vectors",
                   "the product of $x and the activated $gate"};
    what.formula = "$x * (" + with_arrays(gate.formula, {{"g", "$gate"}}) + ")";
    return elementwise_draft(what, stream);
  }
  const int64_t columns = whole_between(stream, 16, 200);
  const int64_t rows = whole_between(stream, 20, 12000 / columns);
  GymDraft draft;
  draft.titles = {"the " + gate.name + " of each row of $x, whose first half is the gate",
                  "a " + gate.name + " layer on packed rows", "the gated second half of each row of $x",
                  "a " + gate.name + " unit with gate and value side by side"};
  draft.formula = "$y[i][j] = $x[i][j + $columns] * act($x[i][j]), where act(g) = " +
                  with_arrays(gate.formula, {{"g", "g"}});
  draft.sizes = {{"rows", rows}, {"columns", columns}, {"packed", 2 * columns}};
  draft.inputs = {{"x", tasks::NumberType::kFloat32, {rows, 2 * columns}, {"rows", "packed"}, normal(), {}}};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {rows, columns}, {"rows", "columns"}, {}, {1e-5, 1e-4}}};
  const std::string formula = with_arrays(gate.formula, {{"g", "$x[i0, i1]"}});
  draft.oracle = {"loops", {{"expression", "$x[i0, i1 + {columns}] * (" + formula + ")"}}, ""};
  const std::string code = with_elements(formula_code(gate.formula, cuda_number(tasks::NumberType::kFloat32)),
                                         [](const std::string&) { return std::string("$g"); });
  draft.solutions = plane_solutions({.arrays = {"x", "y"},
                                     .lines = "const float* $p = $x + $row * 2 * $columns;\n"
                                              "float $g = $p[$column];\n"
                                              "$y[$row * $columns + $column] = $p[$column + $columns] * (" +
                                              code + ");\n"},
                                    stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_gated_unit;
const GymFamily kFamily_gated_unit = {"gated_unit", "activations", draw_gated_unit};

}  // namespace cuset::gym
