// Many answers at once: every slot of the model works on one request, a finished one makes room for the next,
// and prompts that begin are read in the same step in which the others write their next token.
//
// An answer depends on its own request alone: not on how many slots there are, which requests are beside it or
// in which order they come. (The model promises that for its logits, the sampler for what it draws.)
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "generate/sampling.h"
#include "model/inference.h"
#include "text/tokenizer.h"

namespace cuset {

enum class Finish {
  kStop,        // the model wrote an end token
  kStopString,  // its text reached a stop string, which is cut off
  kLength,      // as many tokens as asked for, or as the context holds
};

// "stop", "stop_string", "length".
std::string_view name_of(Finish finish);

struct GenerationSettings {
  SamplingSettings sampling;
  int64_t max_new_tokens = 1024;
  std::vector<std::string> stop_strings;
};

struct GenerationRequest {
  std::vector<int64_t> prompt;  // one token or more
  int64_t adapter = -1;         // of the model; -1: none
  GenerationSettings settings;
  RandomStream random{0, 0};  // one draw for each token
};

struct GeneratedAnswer {
  std::string text;
  int64_t tokens = 0;  // generated, an end token among them
  int64_t prompt_tokens = 0;
  Finish finish = Finish::kLength;
  double confidence = 0;     // of all tokens, as in confidence.h
  double lowest_window = 0;  // likewise
  double seconds = 0;        // from the step that read the prompt to the last token
};

// `request` is an index into the requests of the call. Any may be empty.
struct EngineEvents {
  std::function<void(size_t request, std::string_view text)> on_text;  // more of the answer is certain
  std::function<void(size_t request, const GeneratedAnswer& answer)> on_answer;
  std::function<void(int64_t tokens)> on_step;  // so many tokens were generated together
};

struct EngineOptions {
  std::vector<int64_t> stop_tokens;  // that end an answer; their text is not part of it
  int64_t prompt_tokens = 4096;      // read in one step at most, unless one prompt has more
};

class Engine {
 public:
  // Both must outlive this.
  Engine(InferenceModel& model, const Tokenizer& tokenizer, EngineOptions options);

  // Answers all requests; false where an interrupt (base/interrupt.h) ended it early. A prompt that leaves no
  // room for a token in the model's positions has an empty answer that finished by length.
  bool run(std::span<const GenerationRequest> requests, const EngineEvents& events);

 private:
  InferenceModel& model_;
  const Tokenizer& tokenizer_;
  EngineOptions options_;
};

}  // namespace cuset
