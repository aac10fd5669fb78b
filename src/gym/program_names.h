// Every name of one program: the kernels' parameters and locals, constants, host and device variables.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gym/gym_task.h"
#include "gym/program_form.h"
#include "gym/words/names.h"

namespace cuset::gym {

struct ProgramNames {
  Spelling code;                              // `$key` in bodies, host expressions and helpers
  std::map<std::string, std::string> device;  // array or scratch key -> variable of main
  std::map<std::string, std::string> host;    // array key -> variable of main
  std::vector<std::string> kernels;           // of the solution, in order
  NameScope scope;                            // for what host code adds
};

ProgramNames draw_program_names(const GymTask& task, const GymSolution& solution, const ProgramForm& form,
                                const base::RandomStream& stream);

// "float", "double" or "int": what the task's scalars are in code.
std::string_view scalar_type(const GymDraft& draft);

}  // namespace cuset::gym
