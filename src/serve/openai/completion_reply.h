// Replies in OpenAI's form: whole completions and the chunks of a stream.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "generate/generation.h"
#include "serve/openai/completion_request.h"
#include "text/tokenizer/tokenizer.h"

namespace cuset::serve {

// One of the answers that a request asked for, as far as it has come.
struct CompletionChoice {
  std::string text;
  std::string finish;                          // "stop", "length"; empty: it is not over
  std::vector<generate::SampledToken> tokens;  // kept where log-probabilities or ids are wanted
  size_t echoed = 0;                           // of the tokens: so many are the prompt's, and come first
  size_t offset = 0;                           // characters of the choice's text before these tokens
};

struct CompletionUsage {
  int64_t prompt_tokens = 0;
  int64_t completion_tokens = 0;
};

// What all parts of a reply repeat.
struct CompletionHead {
  CompletionKind kind = CompletionKind::kChat;
  std::string id;
  int64_t created = 0;  // seconds since 1970
  std::string model;
  bool log_probabilities = false;
  bool return_tokens = false;
};

// "stop" for an end token or a stop string, "length".
std::string finish_reason(generate::Finish finish);

// Log-probabilities of tokens in the form of the kind, null for one that has none; `offset` is where their text begins, in
// characters (kPlain).
base::Json log_probabilities_json(CompletionKind kind, const std::vector<generate::SampledToken>& tokens,
                                  const text::Tokenizer& tokenizer, size_t offset = 0);

// Characters of the tokens' texts.
size_t characters_of(const std::vector<generate::SampledToken>& tokens, const text::Tokenizer& tokenizer);

// A whole completion. `prompts` holds the tokens of every prompt, for return_tokens.
base::Json completion_json(const CompletionHead& head, const std::vector<CompletionChoice>& choices,
                           const CompletionUsage& usage, const text::Tokenizer& tokenizer);

// One event of a stream: what is new in one choice.
base::Json completion_chunk(const CompletionHead& head, size_t index, const CompletionChoice& news,
                            const text::Tokenizer& tokenizer);
// The first event of a choice of a chat.
base::Json opening_chunk(const CompletionHead& head, size_t index);
base::Json usage_json(const CompletionUsage& usage);
// The last event, where usage was asked for.
base::Json usage_chunk(const CompletionHead& head, const CompletionUsage& usage);

// "data: ...\n\n".
std::string server_sent_event(const base::Json& data);
inline constexpr std::string_view kLastServerSentEvent = "data: [DONE]\n\n";

}  // namespace cuset::serve
