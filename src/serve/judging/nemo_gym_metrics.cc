#include "serve/judging/nemo_gym_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "base/json/json_cursor.h"

namespace cuset::serve {
namespace {

using base::Json;
using base::JsonCursor;

constexpr const char* kTaskIndex = "_ng_task_index";
constexpr const char* kRolloutIndex = "_ng_rollout_index";

struct RolloutNumbers {
  int64_t task = 0;
  int64_t rollout = 0;
  std::map<std::string, Json> numbers;  // booleans as 0 and 1
};

void take_numbers(const Json& object, RolloutNumbers& rollout) {
  for (const auto& [name, value] : object.items()) {
    if (value.is_boolean()) {
      rollout.numbers[name] = value.get<bool>() ? 1 : 0;
    } else if (value.is_number()) {
      rollout.numbers[name] = value;
    }
  }
}

RolloutNumbers rollout_of(const JsonCursor& response) {
  response.expect_object();
  RolloutNumbers rollout;
  take_numbers(response.value(), rollout);
  const JsonCursor answer = response.get("response");
  if (answer.value().is_object() && answer.get("usage").value().is_object())
    take_numbers(answer.get("usage").value(), rollout);
  const auto taken = [&](const char* key) {
    rollout.numbers.erase(key);
    const JsonCursor number = response.get(key);
    return number.is_absent() ? 0 : number.integer();
  };
  rollout.task = taken(kTaskIndex);
  rollout.rollout = taken(kRolloutIndex);
  return rollout;
}

using Columns = std::map<std::string, std::vector<double>>;

Columns columns_of(const std::vector<const RolloutNumbers*>& rollouts) {
  Columns columns;
  for (const RolloutNumbers* rollout : rollouts) {
    for (const auto& [name, value] : rollout->numbers) columns[name].push_back(value.get<double>());
  }
  return columns;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Of a sample: divided by n - 1.
double deviation_of(const std::vector<double>& values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

// "mean/reward" and its like. A single value has no deviation: it is left out, or 0 where no number has one.
Json statistics_of(const std::vector<const RolloutNumbers*>& rollouts) {
  const Columns columns = columns_of(rollouts);
  const bool has_deviations = std::any_of(columns.begin(), columns.end(),
                                          [](const auto& column) { return column.second.size() > 1; });
  Json statistics = Json::object();
  for (const auto& [name, values] : columns) {
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    statistics["mean/" + name] = mean;
    statistics["max/" + name] = *std::max_element(values.begin(), values.end());
    statistics["min/" + name] = *std::min_element(values.begin(), values.end());
    statistics["median/" + name] = median_of(values);
    if (values.size() > 1) {
      statistics["std/" + name] = deviation_of(values, mean);
    } else if (!has_deviations && rollouts.size() == 1) {
      statistics["std/" + name] = 0.0;
    }
  }
  return statistics;
}

Json info_of(const RolloutNumbers& rollout) {
  Json info = {{"rollout_id", fmt::format("{}:{}", rollout.task, rollout.rollout)},
               {kTaskIndex, rollout.task},
               {kRolloutIndex, rollout.rollout}};
  for (const auto& [name, value] : rollout.numbers) info[name] = value;
  return info;
}

Json group_of(int64_t task, std::vector<const RolloutNumbers*> rollouts) {
  Json group = statistics_of(rollouts);
  std::stable_sort(rollouts.begin(), rollouts.end(),
                   [](const RolloutNumbers* a, const RolloutNumbers* b) { return a->rollout < b->rollout; });
  group.update({{kTaskIndex, task},
                {"sample", {{"agent_ref", {{"name", "agent"}}}}},
                {"num_rollouts", rollouts.size()},
                {"expected_num_rollouts", rollouts.size()},
                {"missing_num_rollouts", 0},
                {"reward_profile_completion_pct", 100.0},
                {"rollout_infos", Json::array()}});
  for (const RolloutNumbers* rollout : rollouts) group["rollout_infos"].push_back(info_of(*rollout));
  return group;
}

}  // namespace

Json nemo_gym_metrics(const Json& document) {
  const JsonCursor body(document, "request");
  body.expect_object();
  std::vector<RolloutNumbers> rollouts;
  for (const JsonCursor& response : body.at("verify_responses").elements())
    rollouts.push_back(rollout_of(response));
  std::map<int64_t, std::vector<const RolloutNumbers*>> tasks;
  std::vector<const RolloutNumbers*> all;
  for (const RolloutNumbers& rollout : rollouts) {
    tasks[rollout.task].push_back(&rollout);
    all.push_back(&rollout);
  }
  Json groups = Json::array();
  for (const auto& [task, its] : tasks) groups.push_back(group_of(task, its));
  Json metrics = statistics_of(all), key_metrics = Json::object();
  for (const auto& [name, value] : metrics.items()) {
    if (name.starts_with("mean/")) key_metrics[name] = value;
  }
  return {{"group_level_metrics", groups}, {"agent_metrics", metrics}, {"key_metrics", key_metrics}};
}

}  // namespace cuset::serve
