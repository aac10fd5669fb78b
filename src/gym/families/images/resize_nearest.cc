// An image of another size, each pixel taken from the nearest one below.
#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

GymDraft draw_resize_nearest(base::RandomStream& stream) {
  const int64_t rows = whole_between(stream, 16, 90);
  const int64_t columns = whole_between(stream, 16, 90);
  const int64_t new_rows = whole_between(stream, 16, 120);
  const int64_t new_columns = whole_between(stream, 16, 120);
  GymDraft draft;
  draft.titles = {"$x resized to $new_rows x $new_columns pixels by nearest neighbors",
                  "a nearest-neighbor resize of an image", "an image of another size without interpolation",
                  "$x sampled on a grid of $new_rows x $new_columns"};
  draft.formula =
      "$y[i][j] = $x[i * $rows / $new_rows][j * $columns / $new_columns], with whole-number divisions";
  draft.sizes = {{"rows", rows}, {"columns", columns}, {"new_rows", new_rows}, {"new_columns", new_columns}};
  draft.inputs = {
      {"x", tasks::NumberType::kFloat32, {rows, columns}, {"rows", "columns"}, uniform(0, 1), {}}};
  draft.outputs = {{"y",
                    tasks::NumberType::kFloat32,
                    {new_rows, new_columns},
                    {"new_rows", "new_columns"},
                    {},
                    {1e-7, 1e-6}}};
  draft.oracle = {
      "loops",
      {{"expression",
        "$x[floor((i0 * {rows} + 0.5) / {new_rows}), floor((i1 * {columns} + 0.5) / {new_columns})]"}},
      ""};
  draft.solutions = plane_solutions({.arrays = {"x", "y"},
                                     .sizes = {"rows", "columns", "new_rows", "new_columns"},
                                     .rows = "$new_rows",
                                     .columns = "$new_columns",
                                     .lines = "int $r = $row * $rows / $new_rows;\n"
                                              "int $c = $column * $columns / $new_columns;\n"
                                              "$y[$row * $new_columns + $column] = $x[$r * $columns + $c];\n",
                                     .noun = "pixel of the new image"},
                                    stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_resize_nearest;
const GymFamily kFamily_resize_nearest = {"resize_nearest", "images", draw_resize_nearest};

}  // namespace cuset::gym
