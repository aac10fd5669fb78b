// The mean of each channel of each image.
#include "gym/solutions/draws.h"
#include "gym/solutions/lane_work.h"

namespace cuset::gym {
namespace {

GymDraft draw_global_average_pool(base::RandomStream& stream) {
  const int64_t batch = whole_between(stream, 2, 8);
  const int64_t channels = whole_between(stream, 3, 24);
  const int64_t height = whole_between(stream, 6, 16);
  const int64_t width = whole_between(stream, 6, 16);
  GymDraft draft;
  draft.titles = {"the global average pool of $x", "the mean of every channel of every image",
                  "global average pooling of a batch of feature maps", "one average for each plane of $x"};
  draft.formula = "$y[n][c] = (sum over i, j of $x[n][c][i][j]) / ($height * $width)";
  draft.sizes = {{"batch", batch}, {"channels", channels}, {"height", height}, {"width", width}};
  draft.inputs = {{"x",
                   tasks::NumberType::kFloat32,
                   {batch, channels, height, width},
                   {"batch", "channels", "height", "width"},
                   normal(0.5),
                   {}}};
  draft.outputs = {
      {"y", tasks::NumberType::kFloat32, {batch, channels}, {"batch", "channels"}, {}, {2e-6, 1e-5}}};
  draft.oracle.native = "reduce";
  draft.oracle.parameters = {{"op", "mean"}, {"axes", std::vector<int>{2, 3}}};

  LaneWork work;
  work.arrays = {"x", "y"};
  work.sizes = {"batch", "channels", "height", "width"};
  work.lane = "plane";
  work.lanes = "$batch * $channels";
  work.noun = "plane";
  work.length = "$height * $width";
  work.folds = {{"sum", Fold::kSum, "$x[$plane * $height * $width + $j]"}};
  work.once = "$y[$plane] = $sum / ($height * $width);\n";
  draft.solutions = lane_solutions(work, stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_global_average_pool;
const GymFamily kFamily_global_average_pool = {"global_average_pool", "pooling", draw_global_average_pool};

}  // namespace cuset::gym
