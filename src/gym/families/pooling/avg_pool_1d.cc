// Average pooling of sequences.
#include "gym/solutions/draws.h"
#include "gym/solutions/pool.h"

namespace cuset {
namespace {

GymDraft draw_avg_pool_1d(RandomStream& stream) {
  PoolDraft pool;
  pool.largest = false;
  pool.batch = whole_between(stream, 1, 6);
  pool.channels = whole_between(stream, 2, 8);
  pool.window = {{"length"}, {whole_between(stream, 40, 200)}};
  pool.window.taps = whole_between(stream, 2, 5);
  pool.window.stride = whole_between(stream, 1, pool.window.taps);
  pool.window.padding = one_in(stream, 2) ? pool.window.taps / 2 : 0;
  GymDraft draft = pool_draft(pool, stream);
  draft.titles = {"an average pool of $x in 1D", "1D average pooling of a batch of sequences",
                  "the mean of $x under a sliding window",
                  "average pooling with windows of {taps}, channel by channel"};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_avg_pool_1d;
const GymFamily kFamily_avg_pool_1d = {"avg_pool_1d", "pooling", draw_avg_pool_1d};

}  // namespace cuset
