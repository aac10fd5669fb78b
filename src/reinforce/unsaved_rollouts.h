// unsaved_rollouts.jsonl: answers and verdicts since the last checkpoint, each a line as soon as it is there, so that
// a killed run neither samples nor judges them again.
//
//   {"draw", "sample", "turn", "task", "answer": {"text", "finish", ..., "ids", "log_probabilities"}}
//   {"draw", "sample", "turn", "task", "verdict": {...}}
//
// From the second turn on, `answer` also has the "prompt" that it was sampled from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/json/jsonl.h"
#include "reinforce/rollout.h"

namespace cuset::reinforce {

class UnsavedRollouts {
 public:
  // Opens or makes the file and reads what is there. A line that a killed writer left unfinished is cut. Throws Error
  // where another run writes to it, or a line is not ours.
  explicit UnsavedRollouts(std::filesystem::path path);

  // Takes answer and verdict from the file, where they are there. Throws Error where they belong to another task.
  void restore(Rollout& rollout) const;

  // Safe to call from several threads.
  void append_answer(const Rollout& rollout);
  void append_verdict(const Rollout& rollout);

  // A checkpoint holds what came of all draws below `draw`.
  void forget_below(uint64_t draw);

 private:
  using Place = std::tuple<uint64_t, uint32_t, uint32_t>;  // draw, sample, turn
  struct Kept {
    std::string task;
    std::vector<int64_t> turn_prompt;
    std::optional<generate::GeneratedAnswer> answer;
    std::optional<judge::Verdict> verdict;
  };
  void read();
  void append(const Rollout& rollout, const char* key, const base::Json& value);

  std::filesystem::path path_;
  std::optional<base::JsonlWriter> writer_;
  std::map<Place, Kept> kept_;
};

// A row of rollouts.jsonl: an answer of a step with its verdict and reward.
base::Json json_of(const Rollout& rollout, int64_t step);

}  // namespace cuset::reinforce
