// The sets of panel_loops.h that not every machine runs; there only on x86-64.
#pragma once

#include "ops/panel_loops.h"

namespace cuset {

extern const PanelLoops kPanelLoopsAvx512;
extern const PanelLoops kPanelLoopsAvx2;

}  // namespace cuset
