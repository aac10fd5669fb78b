// The loops of panel_loops.h for machines with AVX512; see panel_loops_body.h.
#define CUSET_PANEL_LANES 16
#define CUSET_PANEL_SUMS 30
#include "ops/panel_loops_body.h"
#include "ops/panel_loops_wide.h"

namespace cuset {

const PanelLoops kPanelLoopsAvx512 = {"avx512", product_loop, weighted_sums_loop, exponentials_loop,
                                      norm_loop};

}  // namespace cuset
