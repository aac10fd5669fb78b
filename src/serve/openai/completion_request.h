// The body of POST /v1/chat/completions and /v1/completions, as OpenAI defined it and others extended it. docs/serve.md lists the fields.
//
// What the sampler does not have is refused by name (tools, response formats, ...), and so are unknown fields: a parameter
// that is silently ignored costs somebody a day.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json/json.h"
#include "generate/generation.h"

namespace cuset::serve {

enum class CompletionKind : uint8_t { kChat, kPlain };

struct CompletionRequest {
  using PlainText = std::variant<std::string, std::vector<int64_t>>;  // a text, or its tokens

  CompletionKind kind = CompletionKind::kChat;
  std::string model;               // empty: the base model
  base::Json messages = nullptr;   // kChat
  std::vector<PlainText> prompts;  // kPlain; one or more
  generate::GenerationSettings
      settings;                 // max_new_tokens only where has_length; ids of tokens are not checked
  bool has_length = false;      // the request says how long the answer may be
  int64_t samples = 1;          // "n"
  int64_t best_of = 1;          // so many are written, and the `samples` most probable of them given
  std::optional<int64_t> seed;  // nothing: a fresh one
  std::string task;             // names the random stream, as `cuset generate` does
  bool stream = false;
  bool include_usage = false;    // in a stream, which has it only where it is asked for
  bool usage_in_chunks = false;  // with include_usage: in every event, as far as it has come
  bool echo = false;             // kPlain: the text begins with the prompt's
  bool log_probabilities = false;
  bool return_tokens = false;  // ids of prompt and answer
};

// Throws Error that says what is wrong with which field.
CompletionRequest completion_request_from_json(const base::Json& body, CompletionKind kind);

}  // namespace cuset::serve
