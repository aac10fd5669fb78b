// An image enlarged with its corners kept, each pixel mixed from four.
#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

// Positions are multiples of (rows - 1) / (new_rows - 1): as quotients of whole numbers they are exact where
// it matters.
GymDraft draw_resize_bilinear(base::RandomStream& stream) {
  const int64_t rows = whole_between(stream, 12, 60);
  const int64_t columns = whole_between(stream, 12, 60);
  const int64_t new_rows = whole_between(stream, 16, 120);
  const int64_t new_columns = whole_between(stream, 16, 120);
  GymDraft draft;
  draft.titles = {"$x resized to $new_rows x $new_columns pixels with bilinear interpolation",
                  "a bilinear resize of an image",
                  "an image of another size, mixed from the four nearest pixels",
                  "the bilinear interpolation of $x on a new grid"};
  draft.formula =
      "$y[i][j] is interpolated between the four pixels around (i * ($rows - 1) / ($new_rows - 1), "
      "j * ($columns - 1) / ($new_columns - 1)) of $x";
  draft.notes = {"the corners of both images coincide"};
  draft.sizes = {{"rows", rows}, {"columns", columns}, {"new_rows", new_rows}, {"new_columns", new_columns}};
  draft.inputs = {
      {"x", tasks::NumberType::kFloat32, {rows, columns}, {"rows", "columns"}, uniform(0, 1), {}}};
  draft.outputs = {{"y",
                    tasks::NumberType::kFloat32,
                    {new_rows, new_columns},
                    {"new_rows", "new_columns"},
                    {},
                    {3e-5, 1e-4}}};
  // The sum of all four pixels weighted by how near they are; k0 and k1 choose among them.
  const std::string v = "i0 * ({rows} - 1) / ({new_rows} - 1)";
  const std::string h = "i1 * ({columns} - 1) / ({new_columns} - 1)";
  draft.oracle = {
      "loops",
      {{"expression", "$x[floor(" + v + ") + k0, floor(" + h + ") + k1] * (1 - abs(" + v + " - floor(" + v +
                          ") - k0)) * (1 - abs(" + h + " - floor(" + h + ") - k1))"},
       {"over", {2, 2}}},
      ""};
  draft.solutions =
      plane_solutions({.arrays = {"x", "y"},
                       .sizes = {"rows", "columns", "new_rows", "new_columns"},
                       .rows = "$new_rows",
                       .columns = "$new_columns",
                       .lines = "float $v = (float)($row * ($rows - 1)) / ($new_rows - 1);\n"
                                "float $u = (float)($column * ($columns - 1)) / ($new_columns - 1);\n"
                                "int $r = min((int)$v, $rows - 2), $c = min((int)$u, $columns - 2);\n"
                                "float $fv = $v - $r, $fu = $u - $c;\n"
                                "const float* $p = $x + $r * $columns + $c;\n"
                                "float $top = $p[0] + $fu * ($p[1] - $p[0]);\n"
                                "float $low = $p[$columns] + $fu * ($p[$columns + 1] - $p[$columns]);\n"
                                "$y[$row * $new_columns + $column] = $top + $fv * ($low - $top);\n",
                       .noun = "pixel of the new image"},
                      stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_resize_bilinear;
const GymFamily kFamily_resize_bilinear = {"resize_bilinear", "images", draw_resize_bilinear};

}  // namespace cuset::gym
