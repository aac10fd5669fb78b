#include "serve/judging/nemo_gym_metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/error_text.h"

namespace cuset::serve {
namespace {

base::Json metrics_of(const char* responses) {
  return nemo_gym_metrics({{"verify_responses", base::parse_json(responses, "test")}});
}

TEST(NemoGymMetrics, NumbersAreSummarizedByTaskAndOverall) {
  const base::Json metrics = metrics_of(R"([
      {"_ng_task_index": 3, "_ng_rollout_index": 1, "reward": 1.2, "correct": true, "outcome": "correct"},
      {"_ng_task_index": 3, "_ng_rollout_index": 0, "reward": 0.2, "correct": false, "response": {"usage": {"output_tokens": 70}}},
      {"_ng_task_index": 0, "_ng_rollout_index": 0, "reward": 0.4, "correct": false}])");
  const base::Json& all = metrics["agent_metrics"];
  EXPECT_DOUBLE_EQ(all["mean/reward"], 0.6);
  EXPECT_DOUBLE_EQ(all["median/reward"], 0.4);
  EXPECT_DOUBLE_EQ(all["max/reward"], 1.2);
  EXPECT_DOUBLE_EQ(all["min/reward"], 0.2);
  EXPECT_NEAR(all["std/reward"], std::sqrt(0.28), 1e-12) << "of a sample";
  EXPECT_DOUBLE_EQ(all["mean/correct"], 1.0 / 3);
  EXPECT_EQ(all["mean/output_tokens"], 70);
  EXPECT_FALSE(all.contains("std/output_tokens")) << "of one number";
  EXPECT_FALSE(all.contains("mean/outcome"));
  EXPECT_EQ(metrics["key_metrics"].size(), 3U);
  const base::Json& groups = metrics["group_level_metrics"];
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0]["_ng_task_index"], 0);
  EXPECT_EQ(groups[0]["std/reward"], 0);
  EXPECT_DOUBLE_EQ(groups[1]["mean/reward"], 0.7);
  EXPECT_EQ(groups[1]["num_rollouts"], 2);
  EXPECT_EQ(groups[1]["rollout_infos"][0]["rollout_id"], "3:0") << "in the order of the rollouts";
  EXPECT_EQ(groups[1]["rollout_infos"][0]["output_tokens"], 70);
}

TEST(NemoGymMetrics, NothingGivesNothing) {
  const base::Json metrics = metrics_of("[]");
  for (const char* key : {"group_level_metrics", "agent_metrics", "key_metrics"})
    EXPECT_TRUE(metrics.at(key).empty()) << key;
}

TEST(NemoGymMetrics, WhatIsWrongIsNamed) {
  const auto refused = [](const base::Json& body, const char* part) {
    EXPECT_NE(support::error_of([&] { nemo_gym_metrics(body); }).find(part), std::string::npos) << body;
  };
  refused({{"x", 1}}, "field 'verify_responses'");
  refused({{"verify_responses", {1}}}, "verify_responses");
  refused({{"verify_responses", {{{"_ng_task_index", "a"}}}}}, "_ng_task_index");
  refused(base::Json::array(), "request");
}

}  // namespace
}  // namespace cuset::serve
