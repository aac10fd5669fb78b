// Average pooling of images.
#include "gym/solutions/draws.h"
#include "gym/solutions/pool.h"

namespace cuset {
namespace {

GymDraft draw_avg_pool_2d(RandomStream& stream) {
  PoolDraft pool;
  pool.largest = false;
  pool.batch = whole_between(stream, 1, 6);
  pool.channels = whole_between(stream, 2, 8);
  pool.window = {{"height", "width"}, {whole_between(stream, 10, 32), whole_between(stream, 10, 32)}};
  pool.window.taps = whole_between(stream, 2, 5);
  pool.window.stride = whole_between(stream, 1, pool.window.taps);
  pool.window.padding = one_in(stream, 2) ? pool.window.taps / 2 : 0;
  GymDraft draft = pool_draft(pool, stream);
  draft.titles = {"an average pool of $x in 2D", "2D average pooling of a batch of images",
                  "the mean of $x under a sliding window",
                  "average pooling with windows of {taps}, channel by channel"};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_avg_pool_2d;
const GymFamily kFamily_avg_pool_2d = {"avg_pool_2d", "pooling", draw_avg_pool_2d};

}  // namespace cuset
