// A critic behind a real server and one that is a real command, both as bad as they come.
#include "reinforce/critic.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/error.h"
#include "base/files/temporary_folder.h"
#include "base/net/http_client.h"
#include "support/scripted_http_server.h"

namespace cuset::reinforce {
namespace {

using support::ServedReply;
using support::ServedRequest;

std::string reply_body(const std::string& text) {
  return base::to_json_line(
      {{"choices", base::Json::array({{{"message", {{"role", "assistant"}, {"content", text}}}}})}});
}

std::string scores_text(double score) {
  return base::to_json_line({{"correctness", score}, {"compilability", score}, {"speed", score}});
}

CriticQuestion question(uint64_t draw, const std::string& code) { return {draw, "add", "Add.", code}; }

class CriticTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_ / "critic.jsonl"; }

  std::vector<CriticOpinion> judge(const CriticSettings& settings,
                                   const std::vector<CriticQuestion>& questions) {
    Critic critic(settings, file());
    return critic.judge(questions).value();
  }

  base::TemporaryFolder folder_;
};

class EndpointCriticTest : public CriticTest {
 protected:
  void SetUp() override {
    if (!base::HttpClient::is_available()) GTEST_SKIP() << "skipped: built without libcurl";
  }
  static CriticSettings settings_for(const support::ScriptedHttpServer& server) {
    CriticSettings settings;
    settings.kind = CriticKind::kEndpoint;
    settings.url = server.url() + "/v1";
    settings.model = "critic";
    settings.retries = 1;
    settings.backoff = 0.001;
    settings.timeout = 5;
    settings.parallel = 1;
    return settings;
  }
};

TEST_F(EndpointCriticTest, NothingIsAskedTwice) {
  std::atomic<int> asked = 0;
  std::string body;
  const support::ScriptedHttpServer server([&](const ServedRequest& request) {
    ++asked;
    body = request.body;
    return ServedReply{.body = reply_body(scores_text(0.5))};
  });
  const CriticSettings settings = settings_for(server);
  const std::vector<CriticQuestion> questions = {question(1, "a"), question(1, "b"), question(1, "a"),
                                                 question(2, "a")};
  std::vector<CriticOpinion> opinions = judge(settings, questions);
  EXPECT_EQ(asked, 2);
  for (const CriticOpinion& opinion : opinions) EXPECT_EQ(opinion.scores->mean(), 0.5);
  const std::vector<bool> cached = {false, false, true, true};
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(opinions[i].is_cached, cached[i]) << i;
  EXPECT_NE(body.find("\"model\":\"critic\""), std::string::npos) << body;

  opinions = judge(settings, questions);  // of a run that resumes
  EXPECT_EQ(asked, 2);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(opinions[i].is_cached, cached[i]) << i;
  CriticSettings other = settings;
  other.model = "another";
  judge(other, {question(1, "a")});
  EXPECT_EQ(asked, 3) << "its opinion is another";
}

TEST_F(EndpointCriticTest, WhatCannotBeUsedIsAskedForAgain) {
  std::atomic<int> asked = 0;
  const support::ScriptedHttpServer server([&](const ServedRequest&) {
    return asked++ == 0 ? ServedReply{.body = reply_body("It is good.")}
                        : ServedReply{.body = reply_body("<think>\nhm\n</think>\n" + scores_text(1))};
  });
  EXPECT_EQ(judge(settings_for(server), {question(1, "a")})[0].scores->mean(), 1);
  EXPECT_EQ(asked, 2);
}

TEST_F(EndpointCriticTest, AFailureHoldsForItsDrawAlone) {
  std::atomic<bool> fails = true;
  const support::ScriptedHttpServer server([&](const ServedRequest&) {
    return fails ? ServedReply{.status = 400, .body = R"({"error": "too long"})"}
                 : ServedReply{.body = reply_body(scores_text(1))};
  });
  const CriticSettings settings = settings_for(server);
  const std::vector<CriticOpinion> both = judge(settings, {question(1, "a"), question(2, "a")});
  EXPECT_EQ(both[0].failed, "http_400: \"too long\"");
  EXPECT_EQ(both[1].failed, both[0].failed);
  fails = false;
  EXPECT_TRUE(judge(settings, {question(3, "a")})[0].scores);
  const std::vector<CriticOpinion> resumed =
      judge(settings, {question(1, "a"), question(2, "a"), question(4, "a")});
  EXPECT_FALSE(resumed[0].scores) << "as before";
  EXPECT_FALSE(resumed[1].scores);
  EXPECT_TRUE(resumed[2].scores && resumed[2].is_cached);
}

TEST_F(EndpointCriticTest, OneThatIsDownIsNotAskedForEver) {
  std::atomic<int> asked = 0;
  std::atomic<int> status = 503;
  const support::ScriptedHttpServer server([&](const ServedRequest&) {
    ++asked;
    return ServedReply{.status = status};
  });
  CriticSettings settings = settings_for(server);
  settings.retries = 0;
  std::vector<CriticQuestion> questions;
  for (int i = 0; i < 30; ++i) questions.push_back(question(1, std::to_string(i)));
  for (const CriticOpinion& opinion : judge(settings, questions)) EXPECT_FALSE(opinion.scores);
  EXPECT_EQ(asked, 8);
  status = 401;
  for (CriticQuestion& one : questions) one.draw = 2;
  for (const CriticOpinion& opinion : judge(settings, questions)) EXPECT_FALSE(opinion.scores);
  EXPECT_EQ(asked, 9);
}

class CommandCriticTest : public CriticTest {
 protected:
  CriticOpinion opinion_of(const std::string& command, double timeout = 30) {
    CriticSettings settings;
    settings.kind = CriticKind::kCommand;
    settings.command = command;
    settings.retries = 1;
    settings.timeout = timeout;
    return judge(settings, {question(1, "__global__ void add() {}")})[0];
  }
};

TEST_F(CommandCriticTest, ReadsAQuestionAndWritesScores) {
  const std::string received = (folder_ / "question.json").string();
  const CriticOpinion opinion = opinion_of(
      "cat > " + received +
      "; echo warning >&2; echo '{\"correctness\": 1, \"compilability\": 0.5, \"speed\": 0, \"reasoning\": \"why\"}'");
  ASSERT_TRUE(opinion.scores) << opinion.failed;
  EXPECT_DOUBLE_EQ(opinion.scores->mean(), 0.5);
  const base::Json asked = base::parse_json(base::read_file(received), received);
  EXPECT_EQ(asked["task"], "add");
  EXPECT_EQ(asked["prompt"], "Add.");
  EXPECT_EQ(asked["code"], "__global__ void add() {}");
  EXPECT_EQ(asked["question"], critic_question("Add.", "__global__ void add() {}"));
  base::JsonlReader kept(file());
  EXPECT_EQ(kept.next()->at("reasoning"), "why");
}

TEST_F(CommandCriticTest, FailuresAreToldAndTriedAgain) {
  const std::string count = (folder_ / "count").string();
  EXPECT_EQ(opinion_of("echo x >> " + count + "; echo broken >&2; exit 3").failed, "exit_3: \"broken\\n\"");
  EXPECT_EQ(base::read_file(count), "x\nx\n");
  EXPECT_EQ(opinion_of("kill -9 $$").failed, "signal_9: \"\"");
  EXPECT_EQ(opinion_of("sleep 1000", 0.1).failed, "timeout: no reply after 0.1 s");
  EXPECT_EQ(opinion_of("echo hello").failed, "unusable_reply: no JSON object with scores in \"hello\\n\"");
  EXPECT_TRUE(
      opinion_of("test -e " + count + "2 && echo '" + scores_text(1) + "' || touch " + count + "2").scores);
}

TEST_F(CriticTest, AFileOfAnotherKindIsRefused) {
  base::write_file_atomic(file(), "{\"loss\": 1}\n");
  CriticSettings settings;
  settings.kind = CriticKind::kCommand;
  settings.command = "true";
  EXPECT_THROW(Critic(settings, file()), base::Error);
}

}  // namespace
}  // namespace cuset::reinforce
