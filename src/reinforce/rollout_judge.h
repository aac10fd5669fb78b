// Judges answers on threads of its own while others are still being sampled. Equal answers to one task are judged
// once.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "judge/judge.h"

namespace cuset::reinforce {

class RolloutJudge {
 public:
  // Called by one thread at a time, with the number that push() was given.
  using OnVerdict = std::function<void(size_t item, const judge::Verdict& verdict)>;

  // Begins at once. 0 workers: one per core. The judge must outlive this.
  RolloutJudge(judge::Judge& judge, int64_t workers, OnVerdict on_verdict);
  ~RolloutJudge();
  RolloutJudge(const RolloutJudge&) = delete;
  RolloutJudge& operator=(const RolloutJudge&) = delete;

  // The task must outlive this.
  void push(size_t item, const tasks::Task& task, std::string answer);

  // Nothing more will be pushed: waits for all verdicts, or, after an interrupt (base/interrupt.h), for those that
  // were begun. Throws what judging threw.
  void finish();

 private:
  struct Waiting {
    size_t item = 0;
    const tasks::Task* task = nullptr;
    std::string answer;
  };
  // The verdict on a task's answer, or those that wait for it.
  struct Entry {
    std::optional<judge::Verdict> verdict;
    std::vector<size_t> items;
  };

  void work(size_t workers);
  std::optional<Waiting> next();
  void judge_one(const Waiting& waiting);
  void close();

  judge::Judge& judge_;
  OnVerdict on_verdict_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Waiting> queue_;
  std::map<std::pair<const tasks::Task*, std::string>, Entry> entries_;
  bool is_closed_ = false;
  bool has_failed_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace cuset::reinforce
