// What a model is told about its answer before it answers again.
//
// The text says the outcome in words and then what a programmer would look at: the compiler's first errors, the first
// wrong elements (index, got, expected), what the checks found with its line. Nothing else of the judging is in it:
// no seeds, no inputs, no expected outputs but those of the elements shown. An answer that works around the judge is
// told so and not how it was found out.
#pragma once

#include <string>

#include "judge/verdict/verdict.h"

namespace cuset::reinforce {

// The first errors among a compiler's messages, each with the lines that belong to it; warnings and notes are left
// out. Where nothing looks like an error, the first lines.
std::string first_compiler_errors(const std::string& messages);

// The next message of the user. `was_cut`: the answer reached its greatest length. The verdict is neither kCorrect nor
// kFaultyTask.
std::string feedback_on(const judge::Verdict& verdict, bool was_cut);

}  // namespace cuset::reinforce
