// Answers and verdicts for the prompts of a step: samples with the live adapter and judges each answer as soon as it
// is there. With several turns, answers that are not correct get feedback (reinforce/feedback.h), and the model answers
// again, all conversations one turn at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/stats/random.h"
#include "generate/served_model.h"
#include "judge/judge.h"
#include "reinforce/conversation.h"
#include "reinforce/rollout.h"
#include "reinforce/unsaved_rollouts.h"

namespace cuset::reinforce {

struct CollectorOptions {
  generate::GenerationSettings generation;  // its tokens are kept
  int64_t adapter = 0;                      // of the model
  uint64_t seed = 0;
  int64_t workers = 0;                            // answers judged at the same time; 0: one per core
  int64_t turns = 1;                              // of a conversation, at most
  const data::ExampleBuilder* builder = nullptr;  // of the prompts of later turns
  ContextRoom room = {};
};

// What a step took, in seconds.
struct CollectorTimes {
  double sampling = 0;
  double waiting = 0;  // for verdicts, after the last answer
  double judging = 0;  // of all verdicts together, side by side or not
};

class RolloutCollector {
 public:
  // Borrows all but the options.
  RolloutCollector(generate::ServedModel& model, judge::Judge& judge, UnsavedRollouts& unsaved,
                   CollectorOptions options);

  // Fills in answers and verdicts of first turns and adds those of later turns, conversation after conversation. False
  // where an interrupt (base/interrupt.h) ended it early; what is done is in the file. `note` is called with a short
  // text about the state. Throws Error where the machine fails.
  bool collect(std::vector<Rollout>& rollouts, const std::function<void(const std::string&)>& note);

  // Since the last call.
  CollectorTimes take_times();

 private:
  using Note = std::function<void(const std::string&)>;
  using Conversations = std::map<std::pair<uint64_t, uint32_t>, Conversation>;  // by draw and sample

  generate::GenerationRequest request_of(const Rollout& rollout) const;
  bool collect_turns(std::vector<Rollout>& rollouts, const Note& note);
  bool collect_turn(std::span<Rollout> rollouts, const Note& note);
  std::vector<Rollout> next_turn(std::span<Rollout> answered, Conversations& conversations) const;

  generate::ServedModel& model_;
  judge::Judge& judge_;
  UnsavedRollouts& unsaved_;
  CollectorOptions options_;
  CollectorTimes times_;
};

}  // namespace cuset::reinforce
