// Answers with feedback: all conversations take their first turn together, their answers are judged, those that are
// not correct take a second turn, and so on. A run that was killed resumes when it is started again: every turn is a
// generation run and a verification, each with files of its own that hold what is done.
//
//   <set>/answers.jsonl, verdicts.jsonl, ...   the first turn, as without feedback
//   <set>/turns/2/, 3/, ...                    the same files of later turns
//   <set>/turns/conversations.jsonl            every conversation as a whole (conversation.h)
//   <set>/turns/rates.json                     turn_rates.h
//
// where <set> is the folder of an adapter and level (generate/generation_run.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generate/generation_run.h"
#include "reinforce/conversation.h"

namespace cuset::reinforce {

// One turn's answers of one set, which are in a file.
struct AnsweredTurn {
  const generate::AnswerSet& set;         // of this turn
  const generate::AnswerSet& first;       // of the first turn
  const std::vector<std::string>& tasks;  // that were asked for, in the order of their file
  int64_t number = 1;
};

struct ConversationPlan {
  generate::GenerationPlan generation;
  int64_t turns = 2;
  // The verdicts on all answers of the turn, or on some of them after an interrupt (base/interrupt.h).
  std::function<std::vector<judge::Verdict>(const AnsweredTurn& turn)> judge;
};

struct ConversationSet {
  generate::AnswerSet set;  // of the first turn
  std::vector<Conversation> conversations;
};

struct ConversationResult {
  std::vector<ConversationSet> sets;
  bool is_complete = false;     // no interrupt came
  generate::PromptSet prompts;  // to which the conversations point
};

// Throws as generate::run_generation and the judge do.
ConversationResult run_conversations(const ConversationPlan& plan);

}  // namespace cuset::reinforce
