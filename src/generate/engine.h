// Many answers at once: every slot of the model works on one request, a finished one makes room for the next,
// and prompts that begin are read in the same step in which the others write their next token.
//
// An answer depends on its own request alone: not on how many slots there are, which requests are beside it
// or in which order they come. (The model promises that for its logits, the sampler for what it draws.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "generate/generation.h"
#include "model/inference/inference.h"
#include "text/tokenizer/tokenizer.h"

namespace cuset::generate {

struct EngineOptions {
  std::vector<int64_t> stop_tokens;  // that end an answer; their text is not part of it
  int64_t prompt_tokens = 4096;      // read in one step at most, unless one prompt has more
};

class Engine {
 public:
  // Both must outlive this.
  Engine(model::InferenceModel& model, const text::Tokenizer& tokenizer, EngineOptions options);

  // Answers all requests; false where an interrupt (base/interrupt.h) ended it early. A prompt that leaves no
  // room for a token in the model's positions has an empty answer that finished by length.
  bool run(std::span<const GenerationRequest> requests, const GenerationEvents& events);
  // The same for requests that join while others are being answered, until the source ends it.
  bool run(RequestSource& source, const GenerationEvents& events);

 private:
  model::InferenceModel& model_;
  const text::Tokenizer& tokenizer_;
  EngineOptions options_;
};

}  // namespace cuset::generate
