// Max pooling of images.
#include "gym/solutions/pool.h"

namespace cuset::gym {
namespace {

GymDraft draw_max_pool_2d(base::RandomStream& stream) {
  return draw_pool(
      {.largest = true, .axes = {"height", "width"}, .least_side = 10, .most_side = 32, .of = "images"},
      stream);
}

}  // namespace

extern const GymFamily kFamily_max_pool_2d;
const GymFamily kFamily_max_pool_2d = {"max_pool_2d", "pooling", draw_max_pool_2d};

}  // namespace cuset::gym
