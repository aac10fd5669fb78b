// Brightness of colored pixels, packed or in planes.
#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_grayscale(base::RandomStream& stream) {
  const bool packed = one_in(stream, 2);
  const int64_t height = whole_between(stream, 24, 120);
  const int64_t width = whole_between(stream, 24, 120);
  GymDraft draft;
  draft.titles = {"a color image turned into shades of gray", "the brightness of each pixel of $image",
                  "the grayscale version of $image", "the weighted sum of red, green and blue"};
  draft.sizes = {{"height", height}, {"width", width}};
  draft.scalars =
      one_of<std::vector<GymScalar>>(stream, {{{"red", 0.299}, {"green", 0.587}, {"blue", 0.114}},
                                              {{"red", 0.2126}, {"green", 0.7152}, {"blue", 0.0722}},
                                              {{"red", 0.3}, {"green", 0.5}, {"blue", 0.2}}});
  draft.notes = {"$red is {red}", "$green is {green}", "$blue is {blue}",
                 packed ? "the three channels of a pixel lie side by side"
                        : "the three channels are planes one after the other"};
  if (packed) {
    draft.inputs = {{"image",
                     tasks::NumberType::kFloat32,
                     {height, width, 3},
                     {"height", "width", "3"},
                     uniform(0, 1),
                     {}}};
    draft.formula = "$y[i][j] = $red * $image[i][j][0] + $green * $image[i][j][1] + $blue * $image[i][j][2]";
  } else {
    draft.inputs = {{"image",
                     tasks::NumberType::kFloat32,
                     {3, height, width},
                     {"3", "height", "width"},
                     uniform(0, 1),
                     {}}};
    draft.formula = "$y[i][j] = $red * $image[0][i][j] + $green * $image[1][i][j] + $blue * $image[2][i][j]";
  }
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {height, width}, {"height", "width"}, {}, {2e-6, 2e-5}}};
  const auto channel = [&](const std::string& number) {
    return packed ? "$image[i0, i1, " + number + "]" : "$image[" + number + ", i0, i1]";
  };
  const std::string sum =
      "{red} * " + channel("0") + " + {green} * " + channel("1") + " + {blue} * " + channel("2");
  draft.oracle = {"loops", {{"expression", sum}}, ""};
  const std::string lines =
      packed
          ? "const float* $p = $image + 3 * ($row * $width + $column);\n"
            "$y[$row * $width + $column] = $red * $p[0] + $green * $p[1] + $blue * $p[2];\n"
          : "int $at = $row * $width + $column, $area = $height * $width;\n"
            "$y[$at] = $red * $image[$at] + $green * $image[$at + $area] + $blue * $image[$at + 2 * $area];\n";
  draft.solutions = plane_solutions({.arrays = {"image", "y"},
                                     .sizes = {"height", "width"},
                                     .scalars = {"red", "green", "blue"},
                                     .rows = "$height",
                                     .columns = "$width",
                                     .lines = lines,
                                     .noun = "pixel"},
                                    stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_grayscale;
const GymFamily kFamily_grayscale = {"grayscale", "images", draw_grayscale};

}  // namespace cuset::gym
