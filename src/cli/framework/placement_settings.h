// The settings of where a model computes, which all commands with a model share. The number of threads is not
// among them: what 0 stands for differs between commands.
#pragma once

#include "cli/framework/settings.h"
#include "model/placement.h"

namespace cuset::cli {

inline void declare_placement(Settings& settings, model::Placement& placement) {
  settings.add_choice("device", placement.device, {"auto", "cpu", "cuda"},
                      "Where the model runs; auto: on a GPU where there is one");
  settings.add_choice("dtype", placement.dtype, {"auto", "float32", "bfloat16"},
                      "Type of the weights; auto: bfloat16 on a GPU, else float32");
}

}  // namespace cuset::cli
