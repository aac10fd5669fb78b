#include "judge/results/shared_work.h"

#include <algorithm>
#include <exception>
#include <map>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/json/json_cursor.h"
#include "base/log.h"

namespace cuset::judge {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience(100);
constexpr std::chrono::seconds kFarewell(10);  // that helpers have to say that they are gone
constexpr int kMostDeaths = 3;
constexpr int kMostWorkers = 1 << 16;

class Owner {
 public:
  Owner(Crew& crew, WorkQueue& queue, const WorkToShare& work) : crew_(crew), queue_(queue), work_(work) {}

  void run() {
    while (!queue_.is_done() && !queue_.is_stopped() && !base::is_interrupt_requested()) {
      if (const auto message = crew_.receive(kPatience)) take(*message);
      for (auto& [name, helper] : helpers_) hand_out(name, helper);
    }
  }

  // Returns when all are gone: they may need this process to hear of the end.
  void end() {
    for (const auto& [name, helper] : helpers_) {
      if (!helper.is_gone) crew_.send(name, {{"end", true}});
    }
    const auto until = std::chrono::steady_clock::now() + kFarewell;
    while (std::chrono::steady_clock::now() < until && has_helpers()) {
      const auto message = crew_.receive(kPatience);
      if (!message) continue;
      if (message->body.contains("gone")) helpers_[message->from].is_gone = true;
      if (message->body.contains("hello")) crew_.send(message->from, {{"end", true}});
    }
  }

 private:
  struct Helper {
    int workers = 0;  // 0 until it has agreed to the plan
    bool is_gone = false;
  };

  void take(const Crew::Message& message) {
    const std::string place = "a message of " + message.from;
    const base::JsonCursor body(message.body, place);
    Helper& helper = helpers_[message.from];
    if (!body.get("gone").is_absent()) return take_leave(message.from, body.at("gone").string());
    helper.is_gone = false;  // it was only slow
    if (!body.get("hello").is_absent()) {
      crew_.send(message.from, {{"plan", work_.plan}});
    } else if (!body.get("workers").is_absent()) {
      helper.workers = static_cast<int>(body.at("workers").integer(1, kMostWorkers));
    } else {
      const auto item =
          static_cast<size_t>(body.at("item").integer(0, static_cast<int64_t>(queue_.size()) - 1));
      Verdict verdict = verdict_from_json(body.at("verdict").value(), place);
      if (queue_.finish(item)) work_.keep(item, std::move(verdict));
    }
  }

  void take_leave(const std::string& name, const std::string& why) {
    helpers_[name].is_gone = true;
    if (!base::is_interrupt_requested()) base::log_warning("{} is gone: {}", name, why);
    queue_.give_back(name, kMostDeaths);
  }

  // One more than it can judge, so that it need not wait for the next; but not where others would wait for it.
  void hand_out(const std::string& name, const Helper& helper) {
    if (helper.is_gone) return;
    const auto workers = static_cast<size_t>(helper.workers);
    while (workers > 0) {
      const size_t held = queue_.held_by(name);
      if (held > workers || (held == workers && queue_.open_items() <= all_workers())) return;
      const std::optional<size_t> item = queue_.take(name);
      if (!item) return;
      base::Json body = work_.describe(*item);
      body["item"] = *item;
      crew_.send(name, body);
    }
  }

  size_t all_workers() const {
    size_t sum = 0;
    for (const auto& [name, helper] : helpers_)
      sum += helper.is_gone ? 0 : static_cast<size_t>(helper.workers);
    return sum;
  }

  bool has_helpers() const {
    return std::ranges::any_of(helpers_, [](const auto& helper) { return !helper.second.is_gone; });
  }

  Crew& crew_;
  WorkQueue& queue_;
  const WorkToShare& work_;
  std::map<std::string, Helper> helpers_;
};

}  // namespace

void share_work(Crew& crew, WorkQueue& queue, const WorkToShare& work) {
  Owner owner(crew, queue, work);
  std::exception_ptr failure;
  try {
    owner.run();
  } catch (...) {
    failure = std::current_exception();
  }
  queue.stop();
  try {
    owner.end();
  } catch (...) {
    if (!failure) throw;  // else the first failure says why
  }
  if (failure) std::rethrow_exception(failure);
}

void require_same_plan(const base::Json& plan, const base::Json& own, const std::string& who) {
  for (const auto& [key, value] : plan.items()) {
    if (own.contains(key) && own[key] == value) continue;
    throw base::Error("{} has {} = {}, the owner of the results has {}", who, key,
                      own.contains(key) ? base::in_quotes(own[key].dump(), 40) : "nothing",
                      base::in_quotes(value.dump(), 40))
        .with_remedy("use the same program, tasks and settings in all processes");
  }
}

}  // namespace cuset::judge
