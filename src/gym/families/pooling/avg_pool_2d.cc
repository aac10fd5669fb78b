// Average pooling of images.
#include "gym/solutions/pool.h"

namespace cuset::gym {
namespace {

GymDraft draw_avg_pool_2d(base::RandomStream& stream) {
  return draw_pool(
      {.largest = false, .axes = {"height", "width"}, .least_side = 10, .most_side = 32, .of = "images"},
      stream);
}

}  // namespace

extern const GymFamily kFamily_avg_pool_2d;
const GymFamily kFamily_avg_pool_2d = {"avg_pool_2d", "pooling", draw_avg_pool_2d};

}  // namespace cuset::gym
