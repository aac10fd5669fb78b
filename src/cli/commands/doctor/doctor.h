// What `cuset doctor` prints: what this machine can do, what is missing, and the command that adds it.
#pragma once

#include <string>

#include "study/machine.h"

namespace cuset::cli {

// The report as lines for a person; colors where `color` is set.
std::string render_report(const study::MachineReport& report, bool color);

}  // namespace cuset::cli
