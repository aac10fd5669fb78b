// A conversation between a model and the judge: the task, an answer, feedback on it (feedback.h), the next answer, and
// so on until an answer is correct.
//
// The next prompt is the chat template's rendering of the whole conversation. Earlier answers stand in it as the tokens
// that the model wrote, where the template copies their text unchanged, but without their reasoning. Where the
// conversation and an answer of full length exceed the model's positions, the oldest answers go with their
// feedback; the task and the last answer stay.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "data/example.h"
#include "generate/generation_prompts.h"
#include "judge/verdict/verdict.h"

namespace cuset::reinforce {

struct Turn {
  std::string text;
  std::vector<uint32_t> ids;  // of the answer, an end token among them
  std::string finish;         // as generate::Finish is called
  int64_t tokens = 0;         // of the answer
  int64_t prompt_tokens = 0;
  judge::Verdict verdict = {};
  std::string feedback = {};  // that the next turn answers; empty where there is none
};

struct Conversation {
  std::string task;
  uint32_t sample = 0;
  const generate::EncodedPrompt* prompt = nullptr;  // belongs to the caller
  std::vector<Turn> turns = {};
  // Why there is no further turn: "correct", "turns" (as many as asked for), "context" (the model has no room for one
  // more answer), "faulty_task"; empty while there is.
  std::string end = {};

  int64_t tokens() const;  // of all answers
  int64_t prompt_tokens() const;
};

// The text of an answer without its reasoning, and the tokens that the model wrote for it; none where they are not
// those of this text alone.
struct SpokenAnswer {
  std::string text;
  std::vector<uint32_t> ids;
};
SpokenAnswer spoken_answer(const Turn& turn, const text::Tokenizer& tokenizer);

struct ContextRoom {
  int64_t positions = 0;       // of the model; 0: unlimited
  int64_t max_new_tokens = 0;  // of an answer
};

// The tokens of the conversation up to its next answer; every turn has its feedback. Nothing where not even the last
// turn leaves room for a token. Throws Error where the template refuses the messages.
std::optional<std::vector<int64_t>> next_prompt(const Conversation& conversation,
                                                const data::ExampleBuilder& builder, const ContextRoom& room);

// Everything but tokens' ids and what differs from run to run.
base::Json json_of(const Conversation& conversation);

}  // namespace cuset::reinforce
