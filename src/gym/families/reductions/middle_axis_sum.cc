// The sum, mean or maximum of a three-dimensional array over its middle axis.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_middle_axis_sum(base::RandomStream& stream) {
  const bool mean = one_in(stream, 2);
  const int64_t outer = whole_between(stream, 4, 24);
  const int64_t middle = whole_between(stream, 8, 64);
  const int64_t inner = whole_between(stream, 8, 48);
  GymDraft draft;
  const std::string what = mean ? "mean" : "sum";
  draft.titles = {"the " + what + " of $x over its middle axis",
                  "the " + what + " along axis 1 of a 3D array",
                  "a reduction of the second of three axes of $x to its " + what,
                  "the " + what + " over j of the 3D array $x[i][j][k]"};
  draft.formula =
      mean ? "$y[i][k] = (sum over j of $x[i][j][k]) / $middle" : "$y[i][k] = sum over j of $x[i][j][k]";
  draft.sizes = {{"outer", outer}, {"middle", middle}, {"inner", inner}};
  draft.inputs = {{"x",
                   tasks::NumberType::kFloat32,
                   {outer, middle, inner},
                   {"outer", "middle", "inner"},
                   normal(0.5),
                   {}}};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {outer, inner}, {"outer", "inner"}, {}, {mean ? 2e-6 : 5e-5, 1e-5}}};
  draft.oracle = {"reduce", {{"op", what}, {"axes", 1}}, ""};

  LaneWork work;
  work.arrays = {"x", "y"};
  work.sizes = {"outer", "middle", "inner"};
  work.lane = "lane_id";
  work.lanes = "$outer * $inner";
  work.noun = "column";
  work.place = "j";
  work.length = "$middle";
  work.contiguous = false;
  work.setup = "int $i = $lane_id / $inner;\nint $k0 = $lane_id % $inner;\n";
  work.folds = {{"sum", Fold::kSum, "$x[($i * $middle + $j) * $inner + $k0]"}};
  work.once = mean ? "$y[$lane_id] = $sum / $middle;\n" : "$y[$lane_id] = $sum;\n";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_middle_axis_sum;
const GymFamily kFamily_middle_axis_sum = {"middle_axis_sum", "reductions", draw_middle_axis_sum};

}  // namespace cuset::gym
