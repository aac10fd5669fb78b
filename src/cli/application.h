// The cuset program: its commands, global flags, and how failures reach the user.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/framework/command.h"
#include "cli/framework/command_table.h"

namespace cuset::cli {

// Every command, in the order of --help.
std::vector<std::unique_ptr<Command>> all_commands();

// The same with what --help shows of each.
CommandTable command_table();

// Parses `arguments` (without the program's name), runs the chosen command and returns the exit status:
// 0 done, 1 failed, 2 wrong usage. Errors are printed to standard error, one line each.
int run_application(const std::vector<std::string>& arguments);

}  // namespace cuset::cli
