// The loops of panel_loops.h that every machine runs, and the choice between the sets.
#define CUSET_PANEL_LANES 4
#define CUSET_PANEL_SUMS 12
#include "ops/panel_loops_body.h"
#include "ops/panel_loops_wide.h"

namespace cuset {
namespace {

const PanelLoops kPlain = {"plain", product_loop, weighted_sums_loop, exponentials_loop, norm_loop};

}  // namespace

PanelLoopsList all_panel_loops() {
  PanelLoopsList list{};
#if CUSET_HAS_WIDE_PANELS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    list.loops[list.count++] = &kPanelLoopsAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    list.loops[list.count++] = &kPanelLoopsAvx2;
#endif
  list.loops[list.count++] = &kPlain;
  return list;
}

const PanelLoops& panel_loops() {
  static const PanelLoops& widest = *all_panel_loops().loops[0];
  return widest;
}

}  // namespace cuset
