// A generation run: prompts, adapters and samples in, files of answers out. A run that was killed resumes
// when it is started again.
//
//   <output>/answers.jsonl       the answers (docs/generate.md)
//   <output>/generation.json     what was asked: model, adapter, prompts, sampling, seed, versions
//
// Several adapters or levels have a folder each below <output>: base, NAME, NAME-level2. An output that ends
// in .jsonl is the file itself; NAME.generation.json stands beside it.
//
// Further turns of conversations (reinforce/conversations.h) are runs of the same form with prompts of their own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "generate/generation.h"
#include "generate/generation_prompts.h"
#include "generate/served_model.h"

namespace cuset::generate {

struct GenerationPlan {
  ServedModelOptions model;          // its positions are ignored: as many as prompts and answers need
  bool base = false;                 // the model without an adapter too; without adapters always
  std::vector<PlainPrompt> prompts;  // in the order of their file
  PromptChoice choice;
  GenerationSettings generation;
  int64_t seed = 42;
  bool keep_ids = false;  // answers.jsonl holds the tokens of every answer too, as "ids"
  std::filesystem::path output;
  base::Json about;  // an object: what else generation.json says, as command and versions
};

// The answers of one adapter, or of none, to the prompts of one level.
struct AnswerSet {
  std::string name;     // of its folder: "base", "sft", "sft-level2"
  std::string adapter;  // its folder; empty: none
  std::string level;
  std::filesystem::path file;
};

struct GenerationResult {
  std::vector<AnswerSet> sets;
  std::vector<std::string> tasks;  // that were asked for, in the order of their file
  bool is_complete = false;        // no interrupt came
  PromptSet prompts;               // that were answered
};

// Throws Error or UsageError for what cannot be read, does not fit together, or differs from the run in the
// output.
GenerationResult run_generation(const GenerationPlan& plan);

// A conversation that continues.
struct Continuation {
  std::string task;
  uint32_t sample = 0;
  std::vector<int64_t> prompt;  // the conversation so far, up to the next answer
};

struct NextTurn {
  int64_t number = 2;                             // the first turn is run_generation's
  std::vector<AnswerSet> sets;                    // with the files of this turn
  std::vector<std::vector<Continuation>> wanted;  // of each set
};

// Answers one more turn of the conversations that `first` began, all sets in one batch; what the files hold already
// stays. False where an interrupt came. Throws as run_generation.
bool continue_generation(const GenerationPlan& plan, const GenerationResult& first, const NextTurn& turn);

}  // namespace cuset::generate
