// The helper's side of shared_work.h: threads that judge, and one that speaks with the owner.
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/json/json_cursor.h"
#include "base/machine/machine_share.h"
#include "judge/results/shared_work.h"

namespace cuset::judge {
namespace {

constexpr std::chrono::milliseconds kMessageLook(100);

struct SentAnswer {
  uint64_t item = 0;
  const tasks::Task* task = nullptr;
  std::string text;
};

// Answers that wait for a thread, and the tasks that the judge has to remember for them.
class Helper {
 public:
  Helper(OwnerLink& owner, const Assignment& assignment) : owner_(owner), judge_(assignment.judge) {
    for (const tasks::Task& task : assignment.tasks) tasks_.emplace(task.id, &task);
  }

  void run(int workers) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < workers; ++i) threads.emplace_back([this] { work(); });
    try {
      listen();
    } catch (...) {
      fail();
    }
    stop();
    threads.clear();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void listen() {
    while (!is_stopped() && !base::is_interrupt_requested()) {
      const std::optional<base::Json> message = owner_.receive(kMessageLook);
      if (!message) continue;
      if (message->contains("end")) return;
      add(*message);
    }
  }

  void add(const base::Json& message) {
    const base::JsonCursor body(message, "a message of the owner");
    SentAnswer answer{.item = body.at("item").unsigned_integer(), .text = body.at("text").string()};
    const auto task = tasks_.find(body.at("task").string());
    if (task == tasks_.end())
      throw base::Error("the owner sent an answer to the unknown task {}",
                        base::in_quotes(body.at("task").string()));
    answer.task = task->second;
    {
      const std::lock_guard lock(mutex_);
      // Answers come task after task: what has none left here is not likely to come again.
      std::erase_if(in_use_, [&](const auto& use) {
        const bool is_over = use.second == 0 && use.first != answer.task;
        if (is_over) judge_.forget(*use.first);
        return is_over;
      });
      ++in_use_[answer.task];
      waiting_.push_back(std::move(answer));
    }
    changed_.notify_one();
  }

  void work() {
    while (std::optional<SentAnswer> answer = next()) {
      try {
        const Verdict verdict = judge_.judge(*answer->task, answer->text);
        send({{"item", answer->item}, {"verdict", json_of(verdict)}});
      } catch (const JudgeInterrupted&) {
        return;  // the owner hands it out again
      } catch (...) {
        return fail();
      }
      const std::lock_guard lock(mutex_);
      --in_use_[answer->task];
    }
  }

  std::optional<SentAnswer> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_stopped_ || !waiting_.empty(); });
    if (is_stopped_) return std::nullopt;
    SentAnswer answer = std::move(waiting_.front());
    waiting_.pop_front();
    return answer;
  }

  void send(const base::Json& message) {
    const std::lock_guard lock(sending_);
    owner_.send(message);
  }

  // Keeps the exception that is being handled, if it is the first.
  void fail() {
    {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    stop();
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      is_stopped_ = true;
    }
    changed_.notify_all();
  }

  bool is_stopped() const {
    const std::lock_guard lock(mutex_);
    return is_stopped_;
  }

  OwnerLink& owner_;
  Judge& judge_;
  std::unordered_map<std::string, const tasks::Task*> tasks_;
  std::mutex sending_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<SentAnswer> waiting_;
  std::map<const tasks::Task*, size_t> in_use_;  // answers that wait or are being judged
  bool is_stopped_ = false;
  std::exception_ptr failure_;
};

// The plan; nothing where the work is over already or an interrupt comes.
std::optional<base::Json> wait_for_plan(OwnerLink& owner) {
  owner.send({{"hello", true}});
  while (!base::is_interrupt_requested()) {
    const std::optional<base::Json> message = owner.receive(kMessageLook);
    if (message && message->contains("end")) return std::nullopt;
    if (message && message->contains("plan")) return (*message)["plan"];
  }
  return std::nullopt;
}

void say_goodbye(OwnerLink& owner, const std::string& why) {
  try {
    owner.send({{"gone", why}});
  } catch (const std::exception&) {
    // It left first.
  }
}

void help(OwnerLink& owner, const HelperOptions& options) {
  const std::optional<base::Json> plan = wait_for_plan(owner);
  if (!plan) return;
  const Assignment assignment = options.prepare(*plan);
  const int workers = options.workers > 0 ? options.workers : static_cast<int>(base::usable_processors());
  owner.send({{"workers", workers}});
  Helper(owner, assignment).run(workers);
}

}  // namespace

void help_owner(OwnerLink& owner, const HelperOptions& options) {
  try {
    help(owner, options);
  } catch (const base::Error& error) {
    say_goodbye(owner, error.one_line());
    throw;
  }
  say_goodbye(owner, base::is_interrupt_requested() ? "interrupted" : "its work is done");
}

}  // namespace cuset::judge
