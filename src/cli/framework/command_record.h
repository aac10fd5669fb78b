// What a run's record says of the command that made it.
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"
#include "cli/framework/settings.h"

namespace cuset::cli {

// {"command", "command_line", "started", "version", "revision", "settings"}.
base::Json command_record(std::string_view command, const Settings& settings);

// The arguments, separated by zero bytes as in /proc/self/cmdline, as somebody would type them; the program without its
// folder.
std::string command_line_of(std::string_view arguments);

}  // namespace cuset::cli
