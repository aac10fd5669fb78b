// Between float32 and half precision, with a factor on the way.
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/map.h"

namespace cuset::gym {
namespace {

GymDraft draw_half_convert(base::RandomStream& stream) {
  const int64_t n = draw_count(stream);
  const bool widens = one_in(stream, 2);
  const tasks::NumberType from = widens ? tasks::NumberType::kFloat16 : tasks::NumberType::kFloat32;
  const tasks::NumberType to = widens ? tasks::NumberType::kFloat32 : tasks::NumberType::kFloat16;
  GymDraft draft;
  if (widens) {
    draft.titles = {"$x converted from half precision to float32 and scaled",
                    "half-precision numbers widened and multiplied",
                    "float32 numbers from float16 ones, times $scale",
                    "a scaled conversion of float16 to float32"};
  } else {
    draft.titles = {
        "$x scaled and converted to half precision", "float32 numbers multiplied and narrowed to float16",
        "float16 numbers from float32 ones, times $scale", "a scaled conversion of float32 to float16"};
  }
  draft.formula = "$y[i] = $scale * $x[i]";
  draft.notes = {"$scale is {scale}", "the product is computed in float32"};
  draft.sizes = {{"n", n}};
  draft.scalars = {{"scale", draw_constant(stream, 0.3, 6)}};
  draft.inputs = {{"x", from, {n}, {"n"}, normal(), {}}};
  draft.outputs = {{"y", to, {n}, {"n"}, {}, usual_tolerance(to)}};
  draft.oracle = {"map", {{"expression", "{scale} * $x"}}, ""};
  draft.solutions = map_solutions(draft, {tasks::NumberType::kFloat32, "", {"$scale * @x"}, {}}, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_half_convert;
const GymFamily kFamily_half_convert = {"half_convert", "maps", draw_half_convert};

}  // namespace cuset::gym
