// A filter of three by three: blur, sharpen, emboss or edges.
#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/stencil.h"

namespace cuset::gym {
namespace {

using Border = StencilWork::Border;

struct Filter {
  std::string name = {};
  std::string value = {};  // of "@[dy,dx]"
};

Filter draw_filter(base::RandomStream& stream) {
  const std::string all =
      "@[-1,-1] + @[-1,0] + @[-1,1] + @[0,-1] + @[0,0] + @[0,1] + @[1,-1] + @[1,0] + @[1,1]";
  return one_of<Filter>(
      stream,
      {{"box blur", "(" + all + ") / 9"},
       {"cross blur", "(@[0,0] + @[-1,0] + @[1,0] + @[0,-1] + @[0,1]) / 5"},
       {"sharpening filter", "5 * @[0,0] - @[-1,0] - @[1,0] - @[0,-1] - @[0,1]"},
       {"Gaussian blur",
        "(4 * @[0,0] + 2 * (@[-1,0] + @[1,0] + @[0,-1] + @[0,1]) + @[-1,-1] + @[-1,1] + @[1,-1] + @[1,1]) / 16"},
       {"emboss filter", "@[0,0] + @[1,1] - @[-1,-1] + @[0,1] - @[0,-1]"},
       {"edge filter", "4 * @[0,0] - @[-1,0] - @[1,0] - @[0,-1] - @[0,1]"}});
}

GymDraft draw_filter3x3(base::RandomStream& stream) {
  const Filter filter = draw_filter(stream);
  const Border border = one_of(stream, {Border::kZeros, Border::kNearest, Border::kCopied});
  const MatrixSize size = {whole_between(stream, 24, 110), whole_between(stream, 24, 110)};
  GymDraft draft = draft_on_matrix(size, tasks::NumberType::kFloat32, uniform(0, 1));
  draft.titles = {fmt::format("a 3 x 3 {} of the image $x", filter.name),
                  fmt::format("the {} of $x", filter.name),
                  fmt::format("$x after a {} of three by three pixels", filter.name),
                  fmt::format("a {} on a gray image", filter.name)};
  draft.formula = "$y[i][j] = " + stencil_prose(filter.value);
  draft.notes = {border_note(border)};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {size.rows, size.columns}, {"rows", "columns"}, {}, {5e-6, 5e-5}}};
  draft.oracle = {"loops", {{"expression", stencil_formula(border, filter.value)}}, ""};
  draft.solutions = stencil_solutions({.border = border, .value = stencil_code(filter.value)}, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_filter3x3;
const GymFamily kFamily_filter3x3 = {"filter3x3", "images", draw_filter3x3};

}  // namespace cuset::gym
