// run_input_script (tasks/input_script.h) with limits of one's own.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "verify/tasks/array.h"
#include "verify/tasks/inputs.h"
#include "verify/tasks/script/budget.h"

namespace cuset::script {

struct ScriptRun {
  Variation variation = Variation::kPlain;
  Budget::Limits limits;
};

// As run_input_script.
std::vector<Array> run_script(const std::string& text, const std::vector<std::string>& names,
                              const RandomStream& stream, const ScriptRun& run);

}  // namespace cuset::script
