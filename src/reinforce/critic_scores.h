// What a critic is asked about an answer, and how its reply is read. The question follows the critic of Garg, Heo, Mou
// 2025, "Reinforcement Tuning Open Source LLMs for Kernel Generation" (appendix B): correctness, compilability and
// speed, each from 0 to 1; the score is their mean.
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace cuset::reinforce {

struct CriticScores {
  double correctness = 0;
  double compilability = 0;
  double speed = 0;
  std::string reasoning = {};  // in the critic's words; may be empty

  double mean() const { return (correctness + compilability + speed) / 3; }
};

// The question, with the task as the model was asked it and the program of its answer.
std::string critic_question(std::string_view task, std::string_view code);

// The last JSON object of a text that has the three scores, reasoning in <think> tags left out; or in one line what is
// wrong. Scores a little outside of 0 to 1 are brought inside; what is on another scale is refused. Any bytes are
// accepted.
std::variant<CriticScores, std::string> parse_critic_scores(std::string_view text);

}  // namespace cuset::reinforce
