// Answers that continue their prompt. ParEval's prompts end with the opening brace of the function
// that is asked for; models answer with its body, or with the whole function, with or without what stands
// before it.
#pragma once

#include <string>
#include <string_view>

namespace cuset::benchmarks {

// `code` as a text that can be compiled: the prompt and `code` after it where `code` does not define the
// function itself; else `code`, after the prompt's own types and functions where it does not define those. A
// prompt that does not end with an opened function leaves `code` as it is.
std::string complete_answer(std::string_view prompt, const std::string& code);

}  // namespace cuset::benchmarks
