// Answers that continue their prompt. ParEval's prompts end with the opening brace of the function
// that is asked for; models answer with its body, or with the whole function, with or without what stands
// before it. As in ParEval, a body ends with the brace that closes the function; what follows is dropped.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cuset::benchmarks {

// `code` as a text that can be compiled: the prompt and `code` after it where `code` does not define the
// function itself; else `code`, after the prompt's own types and functions where it does not define those. A
// prompt that does not end with an opened function leaves `code` as it is.
std::string complete_answer(std::string_view prompt, const std::string& code);

// A whole answer, without fences, that is such a body: as complete_answer() gives it. Nothing where the prompt
// does not end with an opened kernel, or the answer does not close it, defines it itself, or has fences.
std::optional<std::string> continued_prompt(std::string_view prompt, std::string_view answer);

// The prompt with the opened function as a declaration: "... __global__ void twice(double *x, size_t n);".
// Empty where the prompt does not end with an opened kernel.
std::string kernel_declaration(std::string_view prompt);

}  // namespace cuset::benchmarks
