// What a model may think before it writes a program: which thread does what, how sums are formed, how memory
// is read, in a few sentences.
#pragma once

#include <string>
#include <string_view>

#include "gym/program.h"

namespace cuset::gym {

enum class ReasoningLength : uint8_t { kNone, kShort, kMedium, kLong };

std::string_view name_of(ReasoningLength length);  // "medium"

// Empty for kNone. kShort is the mapping of threads, kMedium adds reductions and memory, kLong what is read
// and written, sizes, launch and bounds. Names are those of `program`.
std::string write_reasoning(const GymTask& task, const GymSolution& solution, const GymProgram& program,
                            ReasoningLength length, base::RandomStream stream);

// The answer of a model that reasons: "<think>...</think>" in front of the program, or prose, or nothing.
std::string with_reasoning(const std::string& reasoning, const std::string& program,
                           base::RandomStream stream);

}  // namespace cuset::gym
