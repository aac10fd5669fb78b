// Documents for training a base model, as {"text": ...}: mostly programs as they lie in repositories, with or
// without a comment that says what they do; kernels with a description; and a few instructions followed by a
// program, of which only a share fits the instruction. So the base model knows the form of CUDA and most
// operations, and that an instruction comes before a program, but seldom which one: what tuning adds can be
// seen.
#pragma once

#include "base/json/json.h"
#include "gym/task_source.h"

namespace cuset::gym {

struct CorpusOptions {
  uint64_t seed = 0;
  std::vector<std::string> families = {};  // empty: all
  double instructions = 0.05;              // share of documents
  double matching = 0.3;                   // of these; the others show the program of another family
  double fragments = 0.1;                  // share of documents that are kernels with a description
  double messy = 0;                        // share of programs that are right, but hard to read (noise.h)
  bool exclude_held_out = false;  // no programs of families that are held out; their prompts never occur
};

class Corpus {
 public:
  // Throws UsageError for unknown families.
  explicit Corpus(CorpusOptions options);

  // {"id", "family", "kind", "text"}, the same for the same number: kind is "program", "fragment" or
  // "instruction". Safe to call from many threads.
  base::Json document(uint64_t number) const;

 private:
  std::string program_text(const GymTask& task, const base::RandomStream& stream) const;
  std::string instruction(const GymTask& task, uint64_t number, const base::RandomStream& stream) const;

  CorpusOptions options_;
  TaskSource programs_;      // the split raw, or train
  TaskSource instructions_;  // the split train
};

}  // namespace cuset::gym
