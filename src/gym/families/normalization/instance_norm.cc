// Instance norm: each channel of each image by its own mean and variance.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_instance_norm(base::RandomStream& stream) {
  const int64_t batch = whole_between(stream, 2, 8);
  const int64_t channels = whole_between(stream, 3, 16);
  const int64_t pixels = whole_between(stream, 30, 256);
  GymDraft draft;
  draft.scalars = {{"eps", one_of(stream, {1e-5, 1e-4, 1e-3, 1e-2})}};
  draft.titles = {"the instance norm of $x", "instance normalization of a batch of feature maps",
                  "every channel of every image of $x normalized on its own",
                  "each plane of $x brought to mean 0 and variance 1"};
  draft.formula =
      "$y[n][c][p] = ($x[n][c][p] - mean over p of $x[n][c]) / sqrt(variance over p of $x[n][c] + $eps)";
  draft.notes = {"$eps is {eps}", "the variance is that of the population, divided by $pixels"};
  draft.sizes = {{"batch", batch}, {"channels", channels}, {"pixels", pixels}};
  draft.inputs = {{"x",
                   tasks::NumberType::kFloat32,
                   {batch, channels, pixels},
                   {"batch", "channels", "pixels"},
                   normal(0.5),
                   {}}};
  draft.outputs = {{"y",
                    tasks::NumberType::kFloat32,
                    {batch, channels, pixels},
                    {"batch", "channels", "pixels"},
                    {},
                    {2e-5, 2e-5}}};
  draft.oracle = {"layer_norm", {{"axes", 2}, {"eps", draft.scalars[0].value}}, ""};

  LaneWork work;
  const std::string at = "[$plane * $pixels + $j]";
  work.arrays = {"x", "y"};
  work.sizes = {"batch", "channels", "pixels"};
  work.scalars = {"eps"};
  work.lane = "plane";
  work.lanes = "$batch * $channels";
  work.noun = "plane";
  work.length = "$pixels";
  work.folds = {{"sum", Fold::kSum, "$x" + at, "float $mean = $sum / $pixels;\n"},
                {"squares", Fold::kSum, "($x" + at + " - $mean) * ($x" + at + " - $mean)",
                 "float $scale = rsqrtf($squares / $pixels + $eps);\n"}};
  work.each = "$y" + at + " = ($x" + at + " - $mean) * $scale;\n";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_instance_norm;
const GymFamily kFamily_instance_norm = {"instance_norm", "normalization", draw_instance_norm, true};

}  // namespace cuset::gym
