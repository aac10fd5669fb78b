// Group norm: channels of an image in groups, each with its own mean and variance.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"
#include "gym/solutions/oracle_chain.h"

namespace cuset::gym {
namespace {

GymDraft draw_group_norm(base::RandomStream& stream) {
  const int64_t batch = whole_between(stream, 2, 8);
  const int64_t groups = whole_between(stream, 2, 6);
  const int64_t members = whole_between(stream, 2, 6);
  const int64_t channels = groups * members;
  const int64_t pixels = whole_between(stream, 16, 100);
  GymDraft draft;
  draft.scalars = {{"eps", one_of(stream, {1e-5, 1e-4, 1e-3, 1e-2})}};
  draft.titles = {"the group norm of $x", "group normalization of a batch of feature maps",
                  "every group of channels of $x normalized by its own mean and variance",
                  "group norm with {groups} groups and a weight for each channel"};
  draft.formula =
      "$y[n][c][p] = ($x[n][c][p] - mean) / sqrt(variance + $eps) * $weight[c], mean and variance over all p of "
      "the $members channels of c's group in image n";
  draft.notes = {"$eps is {eps}", "the {channels} channels form {groups} groups of {members} neighbors",
                 "the variance is that of the population"};
  draft.sizes = {
      {"batch", batch}, {"channels", channels}, {"groups", groups}, {"members", members}, {"pixels", pixels}};
  draft.inputs = {
      {"x",
       tasks::NumberType::kFloat32,
       {batch, channels, pixels},
       {"batch", "channels", "pixels"},
       normal(0.5),
       {}},
      {"weight", tasks::NumberType::kFloat32, {channels, 1}, {"channels", "1"}, uniform(0.5, 1.5), {}}};
  draft.outputs = {{"y",
                    tasks::NumberType::kFloat32,
                    {batch, channels, pixels},
                    {"batch", "channels", "pixels"},
                    {},
                    {2e-5, 2e-5}}};
  const tasks::Shape lanes = {batch, groups, members * pixels};
  draft.oracle = chain_of(
      {{"grouped", lanes, "reshape", {"$x"}},
       {"normed", lanes, "layer_norm", {"grouped"}, {{"eps", draft.scalars[0].value}}},
       {"back", {batch, channels, pixels}, "reshape", {"normed"}},
       {.native = "map", .inputs = {"back", "$weight"}, .parameters = {{"expression", "back * $weight"}}}});

  LaneWork work;
  work.arrays = {"x", "weight", "y"};
  work.sizes = {"batch", "groups", "members", "pixels"};
  work.scalars = {"eps"};
  work.lane = "group";
  work.lanes = "$batch * $groups";
  work.noun = "group";
  work.length = "$count";
  work.setup = "int $count = $members * $pixels;\nint $first = $group * $count;\n";
  work.folds = {{"sum", Fold::kSum, "$x[$first + $j]", "float $mean = $sum / $count;\n"},
                {"squares", Fold::kSum, "($x[$first + $j] - $mean) * ($x[$first + $j] - $mean)",
                 "float $scale = rsqrtf($squares / $count + $eps);\n"}};
  work.each =
      "int $c = $group % $groups * $members + $j / $pixels;\n"
      "$y[$first + $j] = ($x[$first + $j] - $mean) * $scale * $weight[$c];\n";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_group_norm;
const GymFamily kFamily_group_norm = {"group_norm", "normalization", draw_group_norm};

}  // namespace cuset::gym
