// Pixels made black or white, or kept only beyond a level.
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/map.h"

namespace cuset::gym {
namespace {

GymDraft draw_threshold_image(base::RandomStream& stream) {
  const bool binary = one_in(stream, 2);
  const int64_t n = draw_count(stream);
  GymDraft draft;
  draft.sizes = {{"n", n}};
  draft.scalars = {{"level", static_cast<double>(whole_between(stream, 60, 200))}};
  draft.notes = {"$level is {level}"};
  if (binary) {
    draft.titles = {"a black and white version of $image",
                    "$image with pixels above $level white and the others black",
                    "the binary threshold of an 8-bit image", "0 or 255 for each pixel of $image"};
    draft.formula = "$y[i] = ($image[i] > $level ? 255 : 0)";
  } else {
    draft.titles = {"$image with pixels up to $level set to black", "the threshold to zero of an 8-bit image",
                    "the pixels of $image that are above $level", "$image without its dark pixels"};
    draft.formula = "$y[i] = ($image[i] > $level ? $image[i] : 0)";
  }
  draft.inputs = {{"image", tasks::NumberType::kUint8, {n}, {"n"}, whole_numbers(0, 256), {}}};
  draft.outputs = {{"y", tasks::NumberType::kUint8, {n}, {"n"}, {}, {}}};
  draft.oracle = {
      "map",
      {{"expression", binary ? "where($image > {level}, 255, 0)" : "where($image > {level}, $image, 0)"}},
      ""};
  draft.solutions = map_solutions(draft,
                                  {tasks::NumberType::kInt32,
                                   "",
                                   {binary ? "@image > $level ? 255 : 0" : "@image > $level ? @image : 0"},
                                   {}},
                                  stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_threshold_image;
const GymFamily kFamily_threshold_image = {"threshold_image", "images", draw_threshold_image};

}  // namespace cuset::gym
