#include "reinforce/rollout_collector.h"

#include <atomic>
#include <chrono>
#include <set>
#include <utility>

#include "base/interrupt.h"
#include "base/seconds_since.h"
#include "reinforce/rollout_judge.h"

namespace cuset::reinforce {
namespace {

using Clock = std::chrono::steady_clock;

// How far a step has come, for the terminal.
struct Counts {
  size_t rollouts = 0;
  std::atomic<size_t> sampled = 0, judged = 0, correct = 0;

  std::string text() const {
    return fmt::format("{}/{} sampled, {} judged, {} correct", sampled.load(), rollouts, judged.load(),
                       correct.load());
  }
  void add(const judge::Verdict& verdict) {
    ++judged;
    if (verdict.outcome == judge::Outcome::kCorrect) ++correct;
  }
};

}  // namespace

RolloutCollector::RolloutCollector(generate::ServedModel& model, judge::Judge& judge,
                                   UnsavedRollouts& unsaved, CollectorOptions options)
    : model_(model), judge_(judge), unsaved_(unsaved), options_(std::move(options)) {
  options_.generation.keep_tokens = true;
}

generate::GenerationRequest RolloutCollector::request_of(const Rollout& rollout) const {
  generate::GenerationRequest request;
  request.prompt = rollout.prompt->ids;
  request.adapter = options_.adapter;
  request.settings = options_.generation;
  request.random = base::RandomStream(options_.seed, "rollouts").child(rollout.draw).child(rollout.sample);
  return request;
}

bool RolloutCollector::collect(std::span<Rollout> rollouts,
                               const std::function<void(const std::string&)>& note) {
  Counts counts;
  counts.rollouts = rollouts.size();
  RolloutJudge queue(judge_, options_.workers, [&](size_t i, const judge::Verdict& verdict) {
    Rollout& rollout = rollouts[i];
    rollout.verdict = verdict;
    rollout.verdict->task = rollout.prompt->task->id;
    rollout.verdict->sample = rollout.sample;
    rollout.verdict->tokens = rollout.answer->tokens;
    unsaved_.append_verdict(rollout);
    counts.add(verdict);
    times_.judging += verdict.seconds;
    note(counts.text());
  });
  std::vector<generate::GenerationRequest> requests;
  std::vector<size_t> missing;
  for (size_t i = 0; i < rollouts.size(); ++i) {
    unsaved_.restore(rollouts[i]);
    if (!rollouts[i].answer) {
      missing.push_back(i);
      requests.push_back(request_of(rollouts[i]));
      continue;
    }
    ++counts.sampled;
    if (rollouts[i].verdict) {
      counts.add(*rollouts[i].verdict);
    } else {
      queue.push(i, *rollouts[i].prompt->task, rollouts[i].answer->text);
    }
  }
  const auto start = Clock::now();
  generate::GenerationEvents events;
  events.on_answer = [&](size_t request, const generate::GeneratedAnswer& answer) {
    const size_t i = missing[request];
    rollouts[i].answer = answer;
    unsaved_.append_answer(rollouts[i]);
    ++counts.sampled;
    queue.push(i, *rollouts[i].prompt->task, answer.text);
    note(counts.text());
  };
  events.on_step = [&] { note(counts.text()); };
  if (!requests.empty()) model_.run(requests, events);
  times_.sampling += base::seconds_since(start);
  const auto sampled = Clock::now();
  queue.finish();
  times_.waiting += base::seconds_since(sampled);

  std::set<const tasks::Task*> tasks;
  bool is_complete = true;
  for (const Rollout& rollout : rollouts) {
    tasks.insert(rollout.prompt->task);
    is_complete &= rollout.verdict.has_value();
  }
  for (const tasks::Task* task : tasks) judge_.forget(*task);
  return is_complete;
}

CollectorTimes RolloutCollector::take_times() { return std::exchange(times_, {}); }

}  // namespace cuset::reinforce
