// What is asked of a model, and what comes back. Free of LibTorch headers.
#pragma once

#include <cstdint>
#include <functional>
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
  bool keep_tokens =
      false;  // their log-probabilities with the answer; not together with a repetition penalty
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

// `request` is an index into the requests of the call. Any may be empty.
struct GenerationEvents {
  std::function<void(size_t request, std::string_view text)> on_text;  // more of the answer is certain
  std::function<void(size_t request, const GeneratedAnswer& answer)> on_answer;
  std::function<void()> on_step;           // between two steps
  base::ProgressSink* progress = nullptr;  // counts answers and says how many tokens come per second
};

}  // namespace cuset::generate
