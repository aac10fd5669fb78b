// The prompts that a generation run answers: chosen by id and level, and encoded as tokens of the model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "data/example.h"

namespace cuset::generate {

// A prompt as its file has it.
struct PlainPrompt {
  std::string task;
  std::string level;  // empty where there are none
  base::Json messages;
  base::Json tools = nullptr;
};

// Which prompts are answered, and how often.
struct PromptChoice {
  std::string level = "1";        // or "all"
  std::string system;             // message before every prompt; empty: none
  std::vector<std::string> only;  // ids; empty: all
  int64_t limit = 0;              // tasks, the first ones; 0: all
  int64_t samples = 1;            // answers to each prompt
};

struct EncodedPrompt {
  std::string task;
  std::string level;  // empty where there are none
  std::vector<int64_t> ids;
  base::Json messages = nullptr;  // that were encoded, a system message among them
  base::Json tools = nullptr;
};

struct PromptSet {
  std::vector<EncodedPrompt> prompts;  // in the order of the file
  std::vector<std::string> levels;     // that were asked for and are there; one, "", where there are none
  std::string fingerprint;             // of all prompts of the file, chosen or not
};

// The prompts of a JSONL file, in any form of training data; a prompt without an id is called by its number.
// Throws Error for what cannot be read and for an id that appears twice.
std::vector<PlainPrompt> read_prompt_file(const std::filesystem::path& path);

// Throws UsageError for unknown ids of --only or a level that no prompt has, Error where nothing is left.
PromptSet choose_prompts(std::vector<PlainPrompt> all, const PromptChoice& choice,
                         const data::ExampleBuilder& builder);

}  // namespace cuset::generate
