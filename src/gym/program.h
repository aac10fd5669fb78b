// A whole CUDA program for one solution of a task: reads data/<input>.bin, launches the kernels, writes
// data/<output>.bin. The same solution gives as many programs as there are names and forms.
#pragma once

#include <string>

#include "gym/gym_task.h"
#include "gym/program_form.h"

namespace cuset::gym {

struct GymProgram {
  std::string text;
  std::string kernels;                 // of `text`: device functions and kernels
  std::vector<std::string> variables;  // every name that the program gives to something
  Spelling names;                      // as the code spells them
};

GymProgram write_program(const GymTask& task, const GymSolution& solution, const base::RandomStream& stream);

}  // namespace cuset::gym
