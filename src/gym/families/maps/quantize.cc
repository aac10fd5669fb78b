// Floating numbers rounded to eight bits with a scale and a zero point.
#include "gym/solutions/draws.h"
#include "gym/solutions/elementwise.h"
#include "gym/solutions/map.h"

namespace cuset::gym {
namespace {

GymDraft draw_quantize(base::RandomStream& stream) {
  const int64_t n = draw_count(stream);
  const bool is_signed = one_in(stream, 2);
  GymDraft draft;
  draft.titles = {"$x quantized to eight bits", "8-bit quantization of $x with a scale and a zero point",
                  "every element of $x divided by $scale, rounded and clamped to a byte",
                  "the affine quantization of $x"};
  const std::string low = is_signed ? "-128" : "0";
  const std::string high = is_signed ? "127" : "255";
  draft.formula = "$y[i] = clamp(round($x[i] / $scale) + $zero, " + low + ", " + high + ")";
  draft.notes = {"$scale is {scale}", "$zero is {zero}", "round goes to the nearest even number"};
  draft.sizes = {{"n", n}};
  // Powers of two: the quotient is exact, so that no rounding depends on how it is computed.
  draft.scalars = {{"scale", 1.0 / static_cast<double>(power_between(stream, 16, 128))},
                   {"zero", static_cast<double>(is_signed ? whole_between(stream, -40, 40)
                                                          : whole_between(stream, 80, 170))}};
  // So wide that both limits are reached.
  draft.inputs = {
      {"x", tasks::NumberType::kFloat32, {n}, {"n"}, normal(0, 100 * draft.scalars[0].value), {}}};
  draft.outputs = {
      {"y", is_signed ? tasks::NumberType::kInt8 : tasks::NumberType::kUint8, {n}, {"n"}, {}, {}}};
  draft.oracle = {
      "map", {{"expression", "min(max(round($x / {scale}) + {zero}, " + low + "), " + high + ")"}}, ""};
  const std::string value = "fminf(fmaxf(rintf(@x / $scale) + $zero, " + low + ".0f), " + high + ".0f)";
  const std::string type = is_signed ? "signed char" : "unsigned char";
  draft.solutions =
      map_solutions(draft, {tasks::NumberType::kFloat32, "", {"(" + type + ")" + value}, {}}, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_quantize;
const GymFamily kFamily_quantize = {"quantize", "maps", draw_quantize};

}  // namespace cuset::gym
