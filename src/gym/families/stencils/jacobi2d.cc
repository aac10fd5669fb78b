// One sweep of Jacobi over a grid: the mean of the neighbors, and a source where there is one.
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/stencil.h"

namespace cuset::gym {
namespace {

using Border = StencilWork::Border;

GymDraft draw_jacobi2d(base::RandomStream& stream) {
  const Border border = one_of(stream, {Border::kCopied, Border::kZeros, Border::kCleared});
  const bool relaxed = one_in(stream, 2);
  const MatrixSize size = {whole_between(stream, 24, 110), whole_between(stream, 24, 110)};
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, normal());
  draft.titles = {"one Jacobi sweep over the grid $x", "the five-point Jacobi step of a two-dimensional grid",
                  "the mean of the four neighbors of every point", "one iteration of Jacobi's method on $x"};
  const std::string mean = "0.25 * (@[-1,0] + @[1,0] + @[0,-1] + @[0,1])";
  std::string value = mean;
  if (relaxed) {
    draft.scalars = {{"omega", draw_constant(stream, 0.3, 0.9)}};
    draft.notes = {"$omega is {omega}"};
    value = "(1 - {omega}) * @[0,0] + {omega} * " + mean;
  }
  draft.formula = "$y[i][j] = " + stencil_prose(value);
  draft.notes.push_back(border_note(border));
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {2e-6, 2e-5}}};
  draft.oracle = {"loops", {{"expression", stencil_formula(border, value)}}, ""};
  StencilWork work{.border = border, .value = stencil_code(value)};
  if (relaxed) work.scalars = {"omega"};
  draft.solutions = stencil_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_jacobi2d;
const GymFamily kFamily_jacobi2d = {"jacobi2d", "stencils", draw_jacobi2d};

}  // namespace cuset::gym
