// Batch norm of images with given mean and variance for each channel.
#include "gym/solutions/draws.h"
#include "gym/solutions/place_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_batch_norm_inference(base::RandomStream& stream) {
  const int64_t batch = whole_between(stream, 2, 8);
  const int64_t channels = whole_between(stream, 3, 16);
  const int64_t pixels = whole_between(stream, 30, 300);
  GymDraft draft;
  draft.scalars = {{"eps", one_of(stream, {1e-5, 1e-4, 1e-3, 1e-2})}};
  draft.titles = {"the batch norm of $x with given statistics",
                  "inference-mode batch normalization per channel",
                  "every channel of $x normalized by a stored mean and variance",
                  "batch norm of a batch of feature maps at inference"};
  draft.formula = "$y[n][c][p] = ($x[n][c][p] - $mu[c]) / sqrt($var[c] + $eps)";
  draft.notes = {"$eps is {eps}", "$mu and $var have one number for each channel"};
  draft.sizes = {{"batch", batch}, {"channels", channels}, {"pixels", pixels}};
  const auto per_channel = [&](const std::string& key, const tasks::Domain& domain) {
    return GymArray{key, tasks::NumberType::kFloat32, {channels, 1}, {"channels", "1"}, domain, {}};
  };
  draft.inputs = {{"x",
                   tasks::NumberType::kFloat32,
                   {batch, channels, pixels},
                   {"batch", "channels", "pixels"},
                   normal(0.5),
                   {}},
                  per_channel("mu", normal(0.5, 0.5)),
                  per_channel("var", uniform(0.25, 2))};
  draft.outputs = {{"y",
                    tasks::NumberType::kFloat32,
                    {batch, channels, pixels},
                    {"batch", "channels", "pixels"},
                    {},
                    {1e-5, 2e-5}}};
  draft.oracle = {"map", {{"expression", "($x - $mu) / sqrt($var + {eps})"}}, ""};

  PlaceWork work;
  work.arrays = {"x", "mu", "var", "y"};
  work.sizes = {"batch", "channels", "pixels"};
  work.scalars = {"eps"};
  work.planes = "$batch * $channels";
  work.places = "$pixels";
  work.plane_lines =
      "int $c = $plane % $channels;\n"
      "float $scale = rsqrtf($var[$c] + $eps);\n";
  work.lines = "$y[$plane * $pixels + $p] = ($x[$plane * $pixels + $p] - $mu[$c]) * $scale;\n";
  draft.solutions = place_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_batch_norm_inference;
const GymFamily kFamily_batch_norm_inference = {"batch_norm_inference", "normalization",
                                                draw_batch_norm_inference};

}  // namespace cuset::gym
