#include "reinforce/rollout_critic.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "base/seconds_since.h"
#include "cuda_source/answer.h"
#include "reinforce/source_rules.h"

namespace cuset::reinforce {
namespace {

bool is_scored(const Rollout& rollout) {
  return judge::is_verdict(rollout.verdict->outcome) && !is_dishonest(rollout.verdict->outcome);
}

double rules_score(const Rollout& rollout) {
  if (rollout.verdict->outcome == judge::Outcome::kCorrect) return 1;
  return check_source_rules(rollout.answer->text).score();
}

std::string prompt_text(const TaskPrompt& prompt) {
  const auto found = std::find_if(prompt.task->prompts.begin(), prompt.task->prompts.end(),
                                  [&](const tasks::Prompt& one) { return one.level == prompt.level; });
  return found == prompt.task->prompts.end() ? "" : found->text;
}

}  // namespace

void CriticReport::write_metrics(base::Json& json) const {
  if (scored > 0) json["critic/score_mean"] = score_sum / static_cast<double>(scored);
  json["critic/failures"] = failures;
  json["critic/cache_hits"] = cache_hits;
  json["critic/groups_without"] = groups_without;
  json["critic_seconds"] = seconds;
}

std::string CriticReport::text() const {
  return fmt::format("{} of {} answers have no score of the critic ({}), and {} group{} without its part",
                     failures, scored + failures, last_failure, groups_without,
                     groups_without == 1 ? " goes" : "s go");
}

RolloutCritic::RolloutCritic(const CriticSettings& settings, const std::filesystem::path& folder)
    : settings_(settings) {
  if (settings.is_asked()) critic_.emplace(settings, folder / "critic.jsonl");
}

std::optional<std::vector<double>> RolloutCritic::parts(std::span<const Rollout> rollouts) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<std::vector<double>> parts;
  if (critic_) {
    parts = asked_parts(rollouts);
  } else {
    parts.emplace(rollouts.size(), 0);
    for (size_t i = 0; i < rollouts.size(); ++i) {
      if (!is_scored(rollouts[i])) continue;
      const double score = rules_score(rollouts[i]);
      (*parts)[i] = settings_.weight * score;
      report_.score_sum += score;
      ++report_.scored;
    }
  }
  report_.seconds += base::seconds_since(start);
  return parts;
}

RolloutCritic::Questions RolloutCritic::questions_on(std::span<const Rollout> rollouts) {
  Questions asked;
  for (size_t i = 0; i < rollouts.size(); ++i) {
    if (!is_scored(rollouts[i])) continue;
    cuda_source::Extraction found = cuda_source::extract_code(rollouts[i].answer->text);
    if (!found.program) {
      ++asked.without_program;
      continue;
    }
    const TaskPrompt& prompt = *rollouts[i].prompt;
    asked.questions.push_back(
        {rollouts[i].draw, prompt.task->id, prompt_text(prompt), std::move(found.program->code)});
    asked.rollouts.push_back(i);
  }
  return asked;
}

std::optional<std::vector<double>> RolloutCritic::asked_parts(std::span<const Rollout> rollouts) {
  const Questions asked = questions_on(rollouts);
  const std::optional<std::vector<CriticOpinion>> opinions = critic_->judge(asked.questions);
  if (!opinions) return std::nullopt;
  report_.scored += asked.without_program;
  std::vector<double> parts(rollouts.size(), 0);
  std::set<uint64_t> incomplete;  // draws
  for (size_t i = 0; i < opinions->size(); ++i) {
    const CriticOpinion& opinion = (*opinions)[i];
    report_.cache_hits += opinion.is_cached ? 1 : 0;
    if (opinion.scores) {
      parts[asked.rollouts[i]] = settings_.weight * opinion.scores->mean();
      report_.score_sum += opinion.scores->mean();
      ++report_.scored;
    } else {
      incomplete.insert(asked.questions[i].draw);
      report_.last_failure = opinion.failed;
      ++report_.failures;
    }
  }
  report_.groups_without += std::ssize(incomplete);
  for (size_t i = 0; i < rollouts.size(); ++i) {
    if (incomplete.contains(rollouts[i].draw)) parts[i] = 0;
  }
  return parts;
}

CriticReport RolloutCritic::take_report() { return std::exchange(report_, {}); }

}  // namespace cuset::reinforce
