// The strength of edges: both derivatives by the masks of Sobel or Prewitt, and their size.
#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/stencil.h"

namespace cuset::gym {
namespace {

using Border = StencilWork::Border;

GymDraft draw_sobel(base::RandomStream& stream) {
  const std::string middle = one_of<std::string>(stream, {"2", "1", "3"});
  const bool absolute = one_in(stream, 2);
  const Border border = one_of(stream, {Border::kZeros, Border::kNearest, Border::kCleared});
  const MatrixSize size = {whole_between(stream, 24, 100), whole_between(stream, 24, 100)};
  const std::string gx =
      fmt::format("@[-1,1] + {0} * @[0,1] + @[1,1] - @[-1,-1] - {0} * @[0,-1] - @[1,-1]", middle);
  const std::string gy =
      fmt::format("@[1,-1] + {0} * @[1,0] + @[1,1] - @[-1,-1] - {0} * @[-1,0] - @[-1,1]", middle);
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, uniform(0, 1));
  draft.titles = {"the strength of the edges of $x",
                  "a Sobel-like edge detection with weights 1, " + middle + ", 1",
                  "the size of the gradient of the image $x", "an edge map of $x by 3 x 3 masks"};
  draft.formula = std::string("$y[i][j] = ") + (absolute ? "|gx| + |gy|" : "sqrt(gx * gx + gy * gy + 0.01)") +
                  ", where gx = " + stencil_prose(gx) + " and gy = " + stencil_prose(gy);
  draft.notes = {border_note(border)};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {1e-5, 1e-4}}};
  const std::string formula = absolute ? fmt::format("abs({}) + abs({})", gx, gy)
                                       : fmt::format("sqrt(({0}) * ({0}) + ({1}) * ({1}) + 0.01)", gx, gy);
  draft.oracle = {"loops", {{"expression", stencil_formula(border, formula)}}, ""};
  draft.solutions = stencil_solutions(
      {.border = border,
       .value = absolute ? "fabsf($gx) + fabsf($gy)" : "sqrtf($gx * $gx + $gy * $gy + 0.01f)",
       .lines = "float $gx = " + stencil_code(gx) + ";\nfloat $gy = " + stencil_code(gy) + ";\n"},
      stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_sobel;
const GymFamily kFamily_sobel = {"sobel", "images", draw_sobel};

}  // namespace cuset::gym
