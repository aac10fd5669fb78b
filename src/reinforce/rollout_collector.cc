#include "reinforce/rollout_collector.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "base/interrupt.h"
#include "base/seconds_since.h"
#include "reinforce/feedback.h"
#include "reinforce/rollout_judge.h"

namespace cuset::reinforce {
namespace {

using Clock = std::chrono::steady_clock;

// How far a step has come, for the terminal.
struct Counts {
  size_t rollouts = 0;
  uint32_t turn = 1;
  std::atomic<size_t> sampled = 0, judged = 0, correct = 0;

  std::string text() const {
    return fmt::format("{}{}/{} sampled, {} judged, {} correct",
                       turn > 1 ? fmt::format("turn {}: ", turn) : "", sampled.load(), rollouts,
                       judged.load(), correct.load());
  }
  void add(const judge::Verdict& verdict) {
    ++judged;
    if (verdict.outcome == judge::Outcome::kCorrect) ++correct;
  }
};

Turn turn_of(const Rollout& rollout) {
  const generate::GeneratedAnswer& answer = *rollout.answer;
  return {.text = answer.text,
          .ids = {answer.ids.begin(), answer.ids.end()},
          .finish = std::string(generate::name_of(answer.finish)),
          .tokens = answer.tokens,
          .prompt_tokens = answer.prompt_tokens,
          .verdict = *rollout.verdict};
}

bool is_final(judge::Outcome outcome) {
  return outcome == judge::Outcome::kCorrect || outcome == judge::Outcome::kFaultyTask;
}

}  // namespace

RolloutCollector::RolloutCollector(generate::ServedModel& model, judge::Judge& judge,
                                   UnsavedRollouts& unsaved, CollectorOptions options)
    : model_(model), judge_(judge), unsaved_(unsaved), options_(std::move(options)) {
  options_.generation.keep_tokens = true;
}

generate::GenerationRequest RolloutCollector::request_of(const Rollout& rollout) const {
  generate::GenerationRequest request;
  request.prompt = rollout.prompt_ids();
  request.adapter = options_.adapter;
  request.settings = options_.generation;
  request.random = base::RandomStream(options_.seed, "rollouts").child(rollout.draw).child(rollout.sample);
  if (rollout.turn > 1) request.random = request.random.child(rollout.turn);
  return request;
}

bool RolloutCollector::collect(std::vector<Rollout>& rollouts, const Note& note) {
  const bool is_complete = collect_turns(rollouts, note);
  std::set<const tasks::Task*> tasks;
  for (const Rollout& rollout : rollouts) tasks.insert(rollout.prompt->task);
  for (const tasks::Task* task : tasks) judge_.forget(*task);
  std::sort(rollouts.begin(), rollouts.end(), [](const Rollout& a, const Rollout& b) {
    return std::tie(a.draw, a.sample, a.turn) < std::tie(b.draw, b.sample, b.turn);
  });
  return is_complete;
}

bool RolloutCollector::collect_turns(std::vector<Rollout>& rollouts, const Note& note) {
  Conversations conversations;
  size_t begin = 0;
  for (int64_t turn = 1;; ++turn) {
    const std::span<Rollout> of_turn = std::span(rollouts).subspan(begin);
    if (!collect_turn(of_turn, note)) return false;
    if (turn == options_.turns) return true;
    std::vector<Rollout> next = next_turn(of_turn, conversations);
    if (next.empty()) return true;
    begin = rollouts.size();
    std::move(next.begin(), next.end(), std::back_inserter(rollouts));
  }
}

std::vector<Rollout> RolloutCollector::next_turn(std::span<Rollout> answered,
                                                 Conversations& conversations) const {
  std::vector<Rollout> next;
  for (Rollout& rollout : answered) {
    if (is_final(rollout.verdict->outcome)) continue;
    Conversation& conversation = conversations[{rollout.draw, rollout.sample}];
    conversation.prompt = rollout.prompt->encoded;
    conversation.turns.push_back(turn_of(rollout));
    conversation.turns.back().feedback = feedback_on(*rollout.verdict, rollout.is_truncated());
    std::optional<std::vector<int64_t>> prompt = next_prompt(conversation, *options_.builder, options_.room);
    if (!prompt) continue;  // the model has no room for one more answer
    rollout.feedback = conversation.turns.back().feedback;
    next.push_back({.draw = rollout.draw,
                    .sample = rollout.sample,
                    .turn = rollout.turn + 1,
                    .prompt = rollout.prompt,
                    .turn_prompt = std::move(*prompt)});
  }
  return next;
}

bool RolloutCollector::collect_turn(std::span<Rollout> rollouts, const Note& note) {
  Counts counts;
  counts.rollouts = rollouts.size();
  counts.turn = rollouts.front().turn;
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

  return std::all_of(rollouts.begin(), rollouts.end(),
                     [](const Rollout& rollout) { return rollout.verdict.has_value(); });
}

CollectorTimes RolloutCollector::take_times() { return std::exchange(times_, {}); }

}  // namespace cuset::reinforce
