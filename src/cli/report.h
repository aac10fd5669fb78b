// cuset report: the results of a run as one HTML page. docs/report.md.
#pragma once

#include <memory>

#include "cli/command.h"

namespace cuset {

std::unique_ptr<Command> make_report_command();

}  // namespace cuset
