// Sampling against a real server that behaves as badly as servers do.
#include "curate/endpoint/endpoint_sampler.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <set>

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"
#include "base/log.h"
#include "base/net/http_client.h"
#include "support/scoped_variable.h"
#include "support/scripted_http_server.h"
#include "support/test_folder.h"

namespace cuset::curate {
namespace {

using support::ServedReply;
using support::ServedRequest;

std::string answer_body(const std::string& text, const char* finish = "stop") {
  return base::to_json_line(
      {{"choices",
        base::Json::array(
            {{{"message", {{"role", "assistant"}, {"content", text}, {"reasoning_content", "why"}}},
              {"finish_reason", finish}}})},
       {"usage",
        {{"prompt_tokens", 10},
         {"completion_tokens", 20},
         {"completion_tokens_details", {{"reasoning_tokens", 5}}}}}});
}

std::string prompt_in(const ServedRequest& request) {
  const base::Json body = base::parse_json(request.body, "request");
  return body["messages"].back()["content"].get<std::string>();
}

// Prompts of 0 .. count-1, each asked `samples` times; a seed tells the samples of a prompt apart.
std::vector<WantedSample> wanted_of(int count, int samples = 1) {
  std::vector<WantedSample> wanted;
  for (int i = 0; i < count; ++i) {
    const std::string prompt = "prompt " + std::to_string(i);
    for (int sample = 0; sample < samples; ++sample)
      wanted.push_back({{"t" + std::to_string(i), sample, prompt_hash(prompt)}, prompt});
  }
  return wanted;
}

class EndpointSampling : public testing::Test {
 protected:
  void SetUp() override {
    if (!base::HttpClient::is_available()) GTEST_SKIP() << "skipped: built without libcurl";
    base::set_log_level(base::LogLevel::kError);
    file_ = folder_.path() / "answers.jsonl";
  }
  void TearDown() override { base::set_log_level(base::LogLevel::kInfo); }

  EndpointOptions options_for(const support::ScriptedHttpServer& server) const {
    EndpointOptions options;
    options.url = server.url() + "/v1";
    options.model = "teacher";
    options.parallel = 4;
    options.backoff = 0.001;
    options.timeout = 0.3;
    options.seed = 0;
    return options;
  }

  bool sample(const EndpointOptions& options, const std::vector<WantedSample>& wanted) {
    return sample_endpoint(options, wanted, {"teacher", file_});
  }
  EndpointUsage usage() const { return usage_of(read_sampled_answers(file_)); }
  size_t lines() const {
    const std::string text = base::read_file(file_);
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  // How often each prompt and seed was asked.
  std::string key_of(const ServedRequest& request) {
    const base::Json body = base::parse_json(request.body, "request");
    return prompt_in(request) + " " + base::json_member(body, "seed").dump();
  }
  int note(const ServedRequest& request) {
    const std::lock_guard lock(mutex_);
    return asked_[key_of(request)]++;
  }

  support::TestFolder folder_;
  std::filesystem::path file_;
  std::mutex mutex_;
  std::map<std::string, int> asked_;
};

TEST_F(EndpointSampling, EverySampleIsAskedOnceWithWhatThePlanSays) {
  std::string body, head;
  const support::ScriptedHttpServer server([&](const ServedRequest& request) {
    note(request);
    const std::lock_guard lock(mutex_);
    body = request.body;
    head = request.head;
    return ServedReply{.body = answer_body("kernel")};
  });
  const support::ScopedVariable key("CUSET_TEST_KEY", "sk-very-secret-0123");
  EndpointOptions options = options_for(server);
  options.key = "CUSET_TEST_KEY";
  options.temperature = 0.7;
  options.max_tokens = 99;
  options.system = "You write CUDA.";
  EXPECT_TRUE(sample(options, wanted_of(3, 2)));
  EXPECT_EQ(asked_.size(), 6u);
  for (const auto& [key_text, count] : asked_) EXPECT_EQ(count, 1) << key_text;
  const base::Json sent = base::parse_json(body, "request");
  EXPECT_EQ(sent["model"], "teacher");
  EXPECT_EQ(sent["temperature"], 0.7);
  EXPECT_EQ(sent["max_tokens"], 99);
  EXPECT_EQ(sent["messages"][0]["content"], "You write CUDA.");
  EXPECT_FALSE(sent.contains("top_p"));
  EXPECT_TRUE(head.starts_with("POST /v1/chat/completions")) << head;
  EXPECT_NE(head.find("Authorization: Bearer sk-very-secret-0123"), std::string::npos);
  EXPECT_EQ(base::read_file(file_).find("sk-very"), std::string::npos);
  EXPECT_EQ(usage().answers, 6);
  EXPECT_EQ(usage().completion_tokens, 120);
  EXPECT_EQ(usage().reasoning_tokens, 30);
}

// Every request fails first, each in its own way.
TEST_F(EndpointSampling, WhatFailsOnTheWayIsTriedAgainAndCounted) {
  const support::ScriptedHttpServer server([&](const ServedRequest& request) -> ServedReply {
    const std::string good = answer_body("answer to " + prompt_in(request));
    if (note(request) > 0) return {.body = good};
    switch (prompt_in(request).back() - '0') {
      case 0:
        return {.status = 429, .body = R"({"error": {"message": "slow down"}})"};
      case 1:
        return {.status = 500, .body = "oops"};
      case 2:
        return {.body = good.substr(0, good.size() / 2)};
      case 3:
        return {.body = good, .cut_after = 30};
      case 4:
        return {.body = good, .cut_after = 0};
      case 5:
        return {.is_silent = true};
      case 6:
        return {.body = "<html>gateway</html>"};
      default:
        return {.body = R"({"choices": []})"};
    }
  });
  EXPECT_TRUE(sample(options_for(server), wanted_of(8)));
  const auto answers = read_sampled_answers(file_);
  ASSERT_EQ(answers.size(), 8u);
  for (const auto& [key, answer] : answers)
    EXPECT_EQ(answer.reply.text, "<think>\nwhy\n</think>\n\nanswer to prompt " + key.task.substr(1));
  EXPECT_EQ(usage().retries,
            (std::map<std::string, int64_t>{
                {"broken_reply", 3}, {"connection", 2}, {"http_429", 1}, {"http_500", 1}, {"timeout", 1}}));
  EXPECT_EQ(lines(), 8u);
  for (const auto& [key, count] : asked_) EXPECT_EQ(count, 2) << key;
}

TEST_F(EndpointSampling, TheServerSaysHowLongToWait) {
  const support::ScriptedHttpServer server([&](const ServedRequest& request) -> ServedReply {
    if (note(request) == 0) return {.status = 429, .body = "", .headers = "Retry-After: 1\r\n"};
    return {.body = answer_body("x")};
  });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(sample(options_for(server), wanted_of(1)));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST_F(EndpointSampling, WhatWasGivenUpIsAskedAgainByTheNextRunAndNothingElseIs) {
  bool is_well = false;
  const support::ScriptedHttpServer server([&](const ServedRequest& request) -> ServedReply {
    note(request);
    const bool fails = !is_well && prompt_in(request).ends_with("2");
    return fails ? ServedReply{.status = 400, .body = R"({"error": {"message": "too long"}})"}
                 : ServedReply{.body = answer_body("x")};
  });
  EXPECT_TRUE(sample(options_for(server), wanted_of(4)));
  EXPECT_EQ(usage().answers, 3);
  EXPECT_EQ(usage().failed, 1);
  const SampleKey failed{"t2", 0, prompt_hash("prompt 2")};
  EXPECT_EQ(read_sampled_answers(file_).at(failed).failed, "http_400: \"too long\"");
  is_well = true;
  EXPECT_TRUE(sample(options_for(server), wanted_of(4)));
  EXPECT_EQ(usage().answers, 4);
  EXPECT_EQ(usage().failed, 0);
  EXPECT_EQ(asked_["prompt 2 0"], 2);
  EXPECT_EQ(asked_["prompt 1 0"], 1);
  // All is there: no key and no server is needed any more.
  EndpointOptions later = options_for(server);
  later.key = "CUSET_TEST_NO_SUCH_KEY";
  EXPECT_TRUE(sample(later, wanted_of(4)));
  EXPECT_EQ(lines(), 5u);
}

TEST_F(EndpointSampling, AnEndpointThatRefusesEverythingEndsTheRun) {
  int status = 401;
  const support::ScriptedHttpServer server([&](const ServedRequest& request) {
    note(request);
    return ServedReply{.status = status, .body = R"({"error": {"message": "bad key sk-very-secret-0123"}})"};
  });
  const support::ScopedVariable key("CUSET_TEST_KEY", "sk-very-secret-0123");
  EndpointOptions options = options_for(server);
  options.key = "CUSET_TEST_KEY";
  options.parallel = 1;
  try {
    sample(options, wanted_of(5));
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(error.one_line().find("http_401: \"bad key (key)\""), std::string::npos) << error.one_line();
    EXPECT_EQ(error.one_line().find("sk-very"), std::string::npos);
  }
  EXPECT_EQ(asked_.size(), 1u);
  status = 503;
  options.retries = 0;
  EXPECT_THROW(sample(options, wanted_of(30)), base::Error);
  EXPECT_EQ(lines(), 20u);  // in a row
  options.key = "CUSET_TEST_NO_SUCH_KEY";
  EXPECT_THROW(sample(options, wanted_of(30)), base::Error);
}

TEST_F(EndpointSampling, AKillAtAnyMomentLosesAndDoublesNothing) {
  const std::vector<WantedSample> wanted = wanted_of(12, 2);
  pid_t child = 0;
  std::atomic<int> replies = 0;
  std::atomic<int> deadly = 0;
  const support::ScriptedHttpServer server([&](const ServedRequest& request) {
    note(request);
    if (++replies == deadly) ::kill(child, SIGKILL);
    return ServedReply{.body = answer_body("answer to " + prompt_in(request))};
  });
  const EndpointOptions options = options_for(server);
  for (const int moment : {3, 9, 14}) {
    replies = 0;
    deadly = moment;
    child = ::fork();
    if (child == 0) {
      // Sends nothing before the parent knows its number.
      ::raise(SIGSTOP);
      sample_endpoint(options, wanted, {"teacher", file_});
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, WUNTRACED);
    ::kill(child, SIGCONT);
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) break;  // all was answered before the moment came
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
  }
  deadly = 0;
  const auto before = read_sampled_answers(file_);
  const std::map<std::string, int> asked_before = asked_;
  EXPECT_TRUE(sample(options, wanted));
  const auto answers = read_sampled_answers(file_);
  EXPECT_EQ(answers.size(), 24u);
  EXPECT_EQ(lines(), 24u);
  for (const WantedSample& sample : wanted) {
    const std::string asked = sample.prompt + " " + std::to_string(sample.key.sample);
    if (before.contains(sample.key)) {
      EXPECT_EQ(asked_[asked], asked_before.at(asked)) << asked;
    }
    EXPECT_TRUE(answers.at(sample.key).failed.empty());
  }
}

TEST_F(EndpointSampling, ATornLastLineIsAskedAgain) {
  const support::ScriptedHttpServer server([&](const ServedRequest& request) {
    note(request);
    return ServedReply{.body = answer_body("x")};
  });
  EXPECT_TRUE(sample(options_for(server), wanted_of(3)));
  const std::string text = base::read_file(file_);
  for (const size_t cut : {size_t{1}, size_t{20}, size_t{100}}) {
    base::write_file_atomic(file_, text.substr(0, text.size() - cut));
    EXPECT_TRUE(sample(options_for(server), wanted_of(3)));
    EXPECT_EQ(usage().answers, 3) << cut;
    EXPECT_EQ(lines(), 3u) << cut;
  }
}

}  // namespace
}  // namespace cuset::curate
