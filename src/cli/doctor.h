// cuset doctor: what this machine can do, what is missing, and the command that adds it.
#pragma once

#include <memory>

#include "cli/command.h"
#include "cli/machine.h"

namespace cuset {

std::unique_ptr<Command> make_doctor_command();

// The report as lines for a person; colours where `colour` is set.
std::string render_report(const MachineReport& report, bool colour);

}  // namespace cuset
