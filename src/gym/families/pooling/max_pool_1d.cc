// Max pooling of sequences.
#include "gym/solutions/pool.h"

namespace cuset::gym {
namespace {

GymDraft draw_max_pool_1d(base::RandomStream& stream) {
  return draw_pool(
      {.largest = true, .axes = {"length"}, .least_side = 40, .most_side = 200, .of = "sequences"}, stream);
}

}  // namespace

extern const GymFamily kFamily_max_pool_1d;
const GymFamily kFamily_max_pool_1d = {"max_pool_1d", "pooling", draw_max_pool_1d};

}  // namespace cuset::gym
