// The host side of a program: main, and what it calls.
#pragma once

#include <string>
#include <vector>

#include "gym/program_names.h"

namespace cuset::gym {

// What host code is written from; all outlive the calls. `names` takes what main adds.
struct HostContext {
  const GymTask& task;
  const GymSolution& solution;
  const ProgramForm& form;
  ProgramNames& names;
};

std::vector<std::string> host_headers(const ProgramForm& form);
// Macros and functions that main uses; empty where it uses none.
std::string host_functions(const HostContext& context);
std::string main_function(const HostContext& context, const base::RandomStream& stream);

}  // namespace cuset::gym
