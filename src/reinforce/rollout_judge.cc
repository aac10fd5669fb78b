#include "reinforce/rollout_judge.h"

#include "base/interrupt.h"
#include "base/machine/machine_share.h"
#include "base/machine/worker_pool.h"

namespace cuset::reinforce {

RolloutJudge::RolloutJudge(judge::Judge& judge, int64_t workers, OnVerdict on_verdict)
    : judge_(judge), on_verdict_(std::move(on_verdict)) {
  const size_t count = workers > 0 ? static_cast<size_t>(workers) : base::usable_processors();
  thread_ = std::thread([this, count] { work(count); });
}

RolloutJudge::~RolloutJudge() {
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
  }
  close();
}

void RolloutJudge::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void RolloutJudge::push(size_t item, const tasks::Task& task, std::string answer) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({item, &task, std::move(answer)});
  }
  changed_.notify_one();
}

void RolloutJudge::finish() {
  close();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void RolloutJudge::work(size_t workers) {
  try {
    base::WorkerPool{.threads = workers}.run(workers, [this](size_t) {
      while (const std::optional<Waiting> waiting = next()) judge_one(*waiting);
    });
  } catch (...) {
    failure_ = std::current_exception();
  }
}

std::optional<RolloutJudge::Waiting> RolloutJudge::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_closed_ || has_failed_ || !queue_.empty(); });
  if (has_failed_ || queue_.empty() || base::is_interrupt_requested()) return std::nullopt;
  Waiting waiting = std::move(queue_.front());
  queue_.pop_front();
  return waiting;
}

void RolloutJudge::judge_one(const Waiting& waiting) {
  Entry* entry = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = entries_.try_emplace({waiting.task, waiting.answer});
    entry = &place->second;
    if (entry->verdict) return on_verdict_(waiting.item, *entry->verdict);
    entry->items.push_back(waiting.item);
    if (!is_new) return;  // its first judge tells
  }
  try {
    judge::Verdict verdict = judge_.judge(*waiting.task, waiting.answer);
    const std::lock_guard lock(mutex_);
    entry->verdict = std::move(verdict);
    for (const size_t item : entry->items) on_verdict_(item, *entry->verdict);
  } catch (const judge::JudgeInterrupted&) {
    // The next run judges it.
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      has_failed_ = true;
    }
    changed_.notify_all();
    throw;
  }
}

}  // namespace cuset::reinforce
