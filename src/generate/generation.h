// What is asked of a model, and what comes back. Free of LibTorch headers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/stats/random.h"
#include "generate/sampling_settings.h"

namespace cuset::generate {

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
  int64_t min_new_tokens = 0;         // before which no end token is drawn
  bool ignores_end_tokens = false;    // those of the model do not end the answer; they have no text
  std::vector<int64_t> stop_tokens;   // that end the answer besides those of the model, each once
  std::vector<TokenBias> logit_bias;  // each token once
  bool keep_tokens = false;           // their log-probabilities with the answer
  int64_t top_tokens = 0;     // with keep_tokens or score_prompt: the most probable tokens at each place
  bool score_prompt = false;  // the prompt's log-probabilities, for on_prompt; max_new_tokens may then be 0
};

struct GenerationRequest {
  std::vector<int64_t> prompt;  // one token or more
  int64_t adapter = -1;         // of the model; -1: none
  GenerationSettings settings;
  base::RandomStream random{0, 0};  // one draw for each token
};

struct GeneratedAnswer {
  std::string text = "";
  int64_t tokens = 0;  // generated, an end token among them
  int64_t prompt_tokens = 0;
  Finish finish = Finish::kLength;
  double confidence = 0;          // of all tokens, as in confidence.h
  double lowest_window = 0;       // likewise
  double seconds = 0;             // from the step that read the prompt to the last token
  std::vector<int64_t> ids = {};  // the tokens, an end token among them
  // Where the request keeps them: at the sampling temperature before any filter (generate/sampling.h).
  std::vector<float> log_probabilities = {};
};

struct TokenLogProbability {
  int64_t id = 0;
  float log_probability = 0;
};

// One token of an answer, as it was chosen.
struct SampledToken {
  int64_t id = 0;
  double confidence = 0;      // its probability at temperature 1 without any filter
  float log_probability = 0;  // as sampling.h has it, where it was wanted
  std::vector<TokenLogProbability> top =
      {};  // the most probable tokens likewise, in falling order, where wanted
};

// `request` is an index into the requests of the call, or the number that their source gave them. Any may be
// empty.
struct GenerationEvents {
  // Once, before everything else, where the prompt is scored. The log-probability of its first token is not a number.
  std::function<void(size_t request, const std::vector<SampledToken>& tokens)> on_prompt;
  std::function<void(size_t request, const SampledToken& token)>
      on_token;  // before the text that it makes certain
  std::function<void(size_t request, std::string_view text)> on_text;  // more of the answer is certain
  std::function<void(size_t request, const GeneratedAnswer& answer)> on_answer;
  std::function<void()> on_step;           // between two steps
  base::ProgressSink* progress = nullptr;  // counts answers and says how many tokens come per second
};

// Where an open run takes its requests from while it answers others. Called by the thread of the run, between two steps.
class RequestSource {
 public:
  struct Numbered {
    size_t number = 0;  // by which the events tell of it
    GenerationRequest request;
  };

  virtual ~RequestSource() = default;
  // The next request; nothing where none is there now. Where nothing is being answered, `may_wait`, it may wait for one;
  // nothing then ends the run.
  virtual std::optional<Numbered> next(bool may_wait) = 0;
  // False where nobody wants the answer any more: it ends without an event.
  virtual bool is_wanted(size_t number) = 0;
};

}  // namespace cuset::generate
