// The choices by which programs of one solution differ: how constants are declared, memory is held, files are
// read, errors are checked, lines are laid out.
#pragma once

#include <cstdint>
#include <string>

#include "base/random.h"

namespace cuset {

struct ProgramForm {
  enum class Constants : uint8_t { kArguments, kDefine, kConstexpr, kConst, kLiteral };
  enum class Files : uint8_t { kStdio, kHelpers, kStream };
  enum class Checks : uint8_t { kNone, kMacro, kLastError };

  Constants sizes =
      Constants::kArguments;  // of the task; kArguments: variables of main, handed to the kernels
  Constants scalars = Constants::kArguments;    // of the task
  Constants constants = Constants::kConstexpr;  // of the solution; never kArguments
  Files files = Files::kStdio;
  Checks checks = Checks::kNone;
  bool restrict_pointers = false;
  bool named_launch = false;  // dim3 grid(...); kernel<<<grid, block>>>
  bool synchronise = false;   // after the last launch
  bool frees = true;
  bool wide_indent = false;  // four spaces, else two
};

ProgramForm draw_program_form(RandomStream stream);

}  // namespace cuset
