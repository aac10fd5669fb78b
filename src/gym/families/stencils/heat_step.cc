// One explicit step of the heat equation on a grid, with the stencil of five or of nine points.
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/stencil.h"

namespace cuset::gym {
namespace {

using Border = StencilWork::Border;

GymDraft draw_heat_step(base::RandomStream& stream) {
  const Border border = one_of(stream, {Border::kCopied, Border::kZeros, Border::kNearest});
  const bool nine = one_in(stream, 3);
  const MatrixSize size = {whole_between(stream, 24, 110), whole_between(stream, 24, 110)};
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  draft.titles = {"one time step of the heat equation on the grid $x",
                  "an explicit Euler step of two-dimensional diffusion",
                  "the temperatures $x after one step of conduction",
                  "one diffusion step with coefficient $kappa"};
  draft.scalars = {{"kappa", draw_constant(stream, 0.05, 0.25, 100)}};
  draft.notes = {"$kappa is {kappa}", border_note(border)};
  const std::string five = "@[-1,0] + @[1,0] + @[0,-1] + @[0,1] - 4 * @[0,0]";
  const std::string value = nine ? "@[0,0] + {kappa} * (@[-1,0] + @[1,0] + @[0,-1] + @[0,1] + 0.5 * "
                                   "(@[-1,-1] + @[-1,1] + @[1,-1] + @[1,1]) - 6 * @[0,0])"
                                 : "@[0,0] + {kappa} * (" + five + ")";
  draft.formula = "$y[i][j] = " + stencil_prose(value);
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {5e-6, 5e-5}}};
  draft.oracle = {"loops", {{"expression", stencil_formula(border, value)}}, ""};
  draft.solutions =
      stencil_solutions({.border = border, .scalars = {"kappa"}, .value = stencil_code(value)}, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_heat_step;
const GymFamily kFamily_heat_step = {"heat_step", "stencils", draw_heat_step};

}  // namespace cuset::gym
