// Evaluates advantages and policy losses for a test script. One JSON case per line on standard input: the settings by
// their keys, "rewards" (null: no verdict) with the number of each one's group in "groups", how many of them each
// conversation has in "conversations" with their "discount", "borders", "is_masked" and the log-probabilities "present",
// "old", "sampler" and "reference" as flat lists (an empty list: not given), "completions" and "active_tokens" of the
// step. One JSON answer per line on standard output: "advantages", "returns" and every member of PolicyLoss.
#include <torch/types.h>
#include <torch/utils.h>

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "answer_lines.h"
#include "objective/advantages.h"
#include "objective/policy_loss.h"
#include "tensor_numbers.h"

namespace {

using cuset::base::Json;
using cuset::tests::numbers;
namespace objective = cuset::objective;

objective::PolicySettings settings_of(const Json& request) {
  const auto word = [&](const char* key) { return request.at(key).get<std::string>(); };
  objective::PolicySettings settings;
  settings.loss_type = objective::loss_type_named(word("loss_type"));
  settings.scale_rewards = objective::scale_rewards_named(word("scale_rewards"));
  settings.importance_sampling_level = objective::ratio_level_named(word("importance_sampling_level"));
  settings.importance_sampling_mode = objective::mismatch_correction_named(word("importance_sampling_mode"));
  settings.epsilon = request.at("epsilon");
  settings.epsilon_high = request.at("epsilon_high");
  settings.beta = request.at("beta");
  settings.leave_one_out = request.at("leave_one_out");
  settings.max_completion_length = request.at("max_completion_length");
  settings.importance_sampling_cap = request.at("importance_sampling_cap");
  settings.importance_sampling_min = request.at("importance_sampling_min");
  settings.check();
  return settings;
}

torch::Tensor rows_named(const Json& request, const char* key) {
  const auto values = request.at(key).get<std::vector<double>>();
  return values.empty() ? torch::Tensor() : torch::tensor(values, torch::kFloat64);
}

Json answer(const Json& request) {
  const objective::PolicySettings settings = settings_of(request);
  std::vector<double> rewards;
  for (const Json& reward : request.at("rewards"))
    rewards.push_back(reward.is_null() ? std::numeric_limits<double>::quiet_NaN() : reward.get<double>());
  const std::vector<double> advantages =
      objective::advantages_of(settings, rewards, request.at("groups").get<std::vector<size_t>>());
  std::vector<double> returns;
  const auto conversations = request.at("conversations").get<std::vector<size_t>>();
  for (size_t begin = 0, next = 0; next < conversations.size(); begin += conversations[next++]) {
    const auto turns = objective::discounted_returns(std::span(rewards).subspan(begin, conversations[next]),
                                                     request.at("discount"));
    returns.insert(returns.end(), turns.begin(), turns.end());
  }
  objective::PolicyRows rows;
  rows.borders = request.at("borders").get<std::vector<int64_t>>();
  rows.old_log_probability = rows_named(request, "old");
  rows.sampler_log_probability = rows_named(request, "sampler");
  rows.reference_log_probability = rows_named(request, "reference");
  rows.advantages = torch::tensor(advantages, torch::kFloat64);
  rows.is_masked =
      torch::tensor(request.at("is_masked").get<std::vector<int64_t>>(), torch::kInt64).to(torch::kBool);
  const objective::PolicyLoss loss = objective::policy_loss(
      settings, torch::tensor(request.at("present").get<std::vector<double>>(), torch::kFloat64), rows,
      {.completions = request.at("completions"), .active_tokens = request.at("active_tokens")});
  return {{"advantages", advantages},
          {"returns", returns},
          {"row_weight", numbers(loss.row_weight)},
          {"loss", numbers(loss.loss)},
          {"divergence_sum", numbers(loss.divergence_sum)},
          {"clipped_low_sum", numbers(loss.clipped_low_sum)},
          {"clipped_high_sum", numbers(loss.clipped_high_sum)},
          {"ratio_sum", numbers(loss.ratio_sum)},
          {"correction_sum", numbers(loss.correction_sum)},
          {"active_tokens", numbers(loss.active_tokens)}};
}

}  // namespace

int main() {
  torch::set_num_threads(1);
  return cuset::tests::answer_lines(answer);
}
