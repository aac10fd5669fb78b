// A critic outside of this program that scores answers by reading them: a model behind an OpenAI-compatible endpoint,
// or a command of the user's.
//
// Every opinion is a line of critic.jsonl in the run's folder as soon as it is there:
//
//   {"key", "draw", "task", "correctness", "compilability", "speed", "reasoning"}
//   {"key", "draw", "task", "failed": "timeout: ..."}
//
// `key` is a hash of critic and question: a question that has an opinion is never asked again. A failure holds for its
// draw alone: a run that resumes gives that draw the same rewards as before, and later draws ask again.
//
// A command is started for each question. It reads one JSON object, {"task", "prompt", "code", "question"}, from its
// standard input and writes one with the three scores (reinforce/critic_scores.h) to its standard output.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/json/jsonl.h"
#include "reinforce/critic_scores.h"
#include "reinforce/critic_settings.h"

namespace cuset::reinforce {

struct CriticQuestion {
  uint64_t draw = 0;
  std::string task;    // its id
  std::string prompt;  // as the model was asked
  std::string code;    // the program of its answer
};

struct CriticOpinion {
  std::optional<CriticScores> scores;
  std::string failed;      // why there are none
  bool is_cached = false;  // another question had it
};

// Asks one question: scores, or why there are none in one line; nothing where the program was asked to stop. Safe to
// call from several threads.
class CriticChannel {
 public:
  struct Reply {
    std::optional<CriticScores> scores;
    std::string failed;
    bool refuses_all = false;  // every question would fail like this one
  };
  virtual ~CriticChannel() = default;
  virtual std::optional<Reply> ask(const CriticQuestion& question) = 0;
};

// Throws Error where the key's variable is not set, or this program cannot send requests.
std::unique_ptr<CriticChannel> make_critic_channel(const CriticSettings& settings);

class Critic {
 public:
  // Opens or makes the file. Throws as make_critic_channel and base::JsonlWriter do, and where a line is not ours.
  Critic(const CriticSettings& settings, const std::filesystem::path& file);

  // An opinion on each question; nothing where the program was asked to stop (base/interrupt.h). A critic that fails
  // throws nothing. After several failures in a row the other questions are not asked.
  std::optional<std::vector<CriticOpinion>> judge(std::span<const CriticQuestion> questions);

 private:
  struct Known {
    CriticScores scores;
    uint64_t draw = 0;  // that asked
  };
  void read(const std::filesystem::path& file);
  std::string key_of(const CriticQuestion& question) const;
  std::vector<std::pair<std::string, size_t>> open_questions(std::span<const CriticQuestion> questions,
                                                             const std::vector<std::string>& keys) const;
  void ask(const CriticQuestion& question, const std::string& key);
  // Another draw of the same call may have asked the same.
  void share_failures(std::span<const CriticQuestion> questions, const std::vector<std::string>& keys);
  CriticOpinion opinion_on(const CriticQuestion& question, const std::string& key) const;

  CriticSettings settings_;
  std::unique_ptr<CriticChannel> channel_;
  std::optional<base::JsonlWriter> writer_;
  std::mutex mutex_;  // guards what follows
  std::map<std::string, Known> known_;
  std::map<std::pair<std::string, uint64_t>, std::string> failed_;  // by key and draw
  int failures_in_a_row_ = 0;
};

}  // namespace cuset::reinforce
