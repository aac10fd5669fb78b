// Texts as they are compared for repetitions and for shared runs of 13 tokens, the n-gram length that decontamination
// has used since GPT-3 (Brown et al. 2020, appendix C).
//
// Prompts are words, numbers and signs, in small letters. Programs are tokens as spelled, without comments. For runs
// only the part of a program counts that belongs to its task: kernels with their signatures, launch configurations
// and the declarations of constants; the host code that reads, copies and writes is alike by nature.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_source/regions.h"
#include "curate/text/normalized_code.h"

namespace cuset::curate {

inline constexpr size_t kRunTokens = 13;

// All of a text for repetitions, the part that is the task's for runs.
struct ComparedText {
  std::string whole;
  std::vector<std::string> part;
};

ComparedText compared_prompt(std::string_view text);
ComparedText compared_program(const std::string& source);

// The bytes of a program that belong to its task.
std::vector<cuda_source::Region> parts_of_task(const std::string& source);

// The normalized tokens of these bytes, their names numbered anew; of the whole program where it has no such part.
std::vector<CodeToken> tokens_of_task(const std::string& source);
std::vector<CodeToken> tokens_of_task(const std::string& source, const std::vector<CodeToken>& tokens);

// The hashes of all runs of a text, each once, ascending. None of a text of fewer than 13 tokens.
std::vector<uint64_t> runs_of(const std::vector<std::string>& tokens);

}  // namespace cuset::curate
