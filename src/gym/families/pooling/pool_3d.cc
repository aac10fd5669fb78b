// Max or average pooling of volumes, windows side by side.
#include "gym/solutions/draws.h"
#include "gym/solutions/pool.h"

namespace cuset::gym {
namespace {

GymDraft draw_pool_3d(base::RandomStream& stream) {
  PoolDraft pool;
  pool.largest = one_in(stream, 2);
  pool.batch = whole_between(stream, 1, 3);
  pool.channels = whole_between(stream, 1, 4);
  pool.window = {{"depth", "height", "width"},
                 {whole_between(stream, 6, 12), whole_between(stream, 6, 14), whole_between(stream, 6, 14)}};
  pool.window.taps = whole_between(stream, 2, 3);
  pool.window.stride = pool.window.taps;
  GymDraft draft = pool_draft(pool, stream);
  const std::string kind = pool.largest ? "max" : "average";
  draft.titles = {"a 3D " + kind + " pool of $x", "3D " + kind + " pooling of a batch of volumes",
                  "the " + std::string(pool.largest ? "largest element" : "mean") + " of every cube of $x",
                  kind + " pooling of volumes with windows of {taps} x {taps} x {taps}"};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_pool_3d;
const GymFamily kFamily_pool_3d = {"pool_3d", "pooling", draw_pool_3d};

}  // namespace cuset::gym
