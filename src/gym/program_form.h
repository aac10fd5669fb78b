// The choices by which programs of one solution differ: how constants are declared, memory is held, files are
// read, errors are checked, lines are laid out.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/stats/random.h"

namespace cuset::gym {

struct ProgramForm {
  enum class Constants : uint8_t { kArguments, kDefine, kConstexpr, kConst, kLiteral };
  enum class Memory : uint8_t { kVector, kMalloc, kNew, kPinned, kManaged };
  enum class Files : uint8_t { kStdio, kHelpers, kStream };
  enum class Checks : uint8_t { kNone, kMacro, kFunction, kLastError };
  enum class Comments : uint8_t { kNone, kKernels, kSteps };

  Constants sizes = Constants::kArguments;    // of the task; kArguments: variables of main, handed to kernels
  Constants scalars = Constants::kArguments;  // of the task
  Constants constants = Constants::kConstexpr;  // of the solution; never kArguments
  Memory memory = Memory::kVector;              // on the host; kManaged: one pointer for both sides
  Files files = Files::kStdio;
  Checks checks = Checks::kNone;
  Comments comments = Comments::kNone;
  std::string_view check_name = "CHECK";
  bool long_check = false;  // says what failed
  bool restrict_pointers = false;
  bool named_launch = false;    // dim3 grid(...); kernel<<<grid, block>>>
  bool named_bytes = false;     // const size_t bytes = ...
  bool array_by_array = false;  // each input is read, allocated and copied before the next
  bool cast_pointers = false;   // cudaMalloc((void**)&x, ...)
  bool synchronize = false;     // after the last launch
  bool frees = true;
  bool returns = true;         // return 0 at the end of main
  bool kernels_first = false;  // before what main calls
  bool braces_below = false;   // of functions
  bool wide_indent = false;    // four spaces, else two
};

// What is common in code that people write is common here.
ProgramForm draw_program_form(base::RandomStream stream);

}  // namespace cuset::gym
