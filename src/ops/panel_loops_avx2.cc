// The loops of panel_loops.h for machines with AVX2; see panel_loops_body.h.
#define CUSET_PANEL_LANES 8
#define CUSET_PANEL_SUMS 12
#include "ops/panel_loops_body.h"
#include "ops/panel_loops_wide.h"

namespace cuset {

const PanelLoops kPanelLoopsAvx2 = {"avx2", product_loop, weighted_sums_loop, exponentials_loop, norm_loop};

}  // namespace cuset
