// Bytes turned back into floating numbers.
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/map.h"

namespace cuset::gym {
namespace {

GymDraft draw_dequantize(base::RandomStream& stream) {
  const int64_t n = draw_count(stream);
  const bool is_signed = one_in(stream, 2);
  GymDraft draft;
  draft.titles = {"the floating numbers behind 8-bit values",
                  "dequantization of $x with a scale and a zero point", "bytes turned back into float32",
                  "$scale times the distance of $x from $zero"};
  draft.formula = "$y[i] = $scale * ($x[i] - $zero)";
  draft.notes = {"$scale is {scale}", "$zero is {zero}"};
  draft.sizes = {{"n", n}};
  draft.scalars = {{"scale", draw_constant(stream, 0.005, 0.2, 1000)},
                   {"zero", static_cast<double>(is_signed ? whole_between(stream, -40, 40)
                                                          : whole_between(stream, 80, 170))}};
  draft.inputs = {{"x",
                   is_signed ? tasks::NumberType::kInt8 : tasks::NumberType::kUint8,
                   {n},
                   {"n"},
                   is_signed ? whole_numbers(-128, 128) : whole_numbers(0, 256),
                   {}}};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {n}, {"n"}, {}, usual_tolerance(tasks::NumberType::kFloat32)}};
  draft.oracle = {"map", {{"expression", "{scale} * ($x - {zero})"}}, ""};
  draft.solutions =
      map_solutions(draft, {tasks::NumberType::kFloat32, "", {"$scale * (@x - $zero)"}, {}}, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_dequantize;
const GymFamily kFamily_dequantize = {"dequantize", "maps", draw_dequantize};

}  // namespace cuset::gym
