// Python source -> syntax tree.
#pragma once

#include <string_view>

#include "verify/tasks/script/syntax.h"

namespace cuset::script {

// Throws Failure with its line for what is not understood. Decorators, annotations, exception handlers and
// class bodies are read and left out.
Program parse_program(std::string_view source);

}  // namespace cuset::script
