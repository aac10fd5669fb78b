// What a generation run has to answer: the prompts of tasks or of a file, as tokens of the model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/generation_settings.h"
#include "data/example.h"

namespace cuset {

struct EncodedPrompt {
  std::string task;
  std::string level;  // empty where there are none
  std::vector<int64_t> ids;
};

struct PromptSet {
  std::vector<EncodedPrompt> prompts;  // in the order of the file
  std::vector<std::string> levels;     // that were asked for and are there; one, "", where there are none
  std::string fingerprint;             // of all prompts of the file, chosen or not
};

// Throws Error for files that cannot be read, UsageError for unknown ids of --only or a level that no task
// has.
PromptSet read_prompts(const PromptChoice& choice, const ExampleBuilder& builder);

}  // namespace cuset
